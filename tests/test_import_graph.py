"""The check that ``make graph`` runs can fail."""

import ast

import grimp
import pytest

from tools.import_graph import cycle_fault, only_forwards, print_folders


def test_a_cycle_is_found():
    graph = grimp.ImportGraph()
    for importer, imported in (("p.a.x", "p.b.y"), ("p.b.y", "p.c.z")):
        graph.add_import(importer=importer, imported=imported)
    assert list(cycle_fault(graph)) == []
    graph.add_import(importer="p.c.z", imported="p.a.x")
    (fault,) = cycle_fault(graph)
    assert fault.startswith("cycle: ")
    assert fault.count("->") == 3
    for chain in ("p.a.x -> p.b.y", "p.b.y -> p.c.z", "p.c.z -> p.a.x"):
        assert chain in f"{fault} -> {fault.split()[2]}"


def test_folders_are_printed_with_what_they_import(capsys):
    graph = grimp.ImportGraph()
    graph.add_import(importer="p.a.x", imported="p.b.y")
    graph.add_import(importer="p.a.x", imported="p.a.z")
    print_folders(graph)
    assert capsys.readouterr().out.splitlines() == [
        "b              1 modules, imports nothing",
        "a              2 modules, imports b",
    ]


@pytest.mark.parametrize(
    ("text", "forwards"),
    [
        ('"""Names."""\nfrom a import b\n__all__ = ["b"]\n', True),
        ("import a\nfrom b import c\n", True),
        ('"""Nothing but words."""\n', False),
        ("", False),
        ("from a import b\nc = b\n", False),
        ("from a import b\n\ndef c(): return b\n", False),
    ],
)
def test_a_module_that_only_forwards_is_found(text, forwards):
    assert only_forwards(ast.parse(text)) is forwards
