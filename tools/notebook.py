"""Run the notebooks in ``examples/`` and write the cells' output into them: ``python tools/notebook.py FILE...``.

A cell outputs what it prints and the value of its last expression, as a picture if it has one. No kernel is needed.
"""

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any


def outputs(cells: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The output of each cell when all are run in order, in the notebook format."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [_run("".join(cell["source"]), names) if cell["cell_type"] == "code" else [] for cell in cells]


def _run(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value, printed = None, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)  # noqa: S102 the notebooks are ours
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)  # noqa: S307
    shown: list[dict[str, Any]] = []
    if printed.getvalue():
        shown.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = _lines(value._repr_svg_())
        shown.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return shown


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main(paths: list[str]) -> None:
    """Fill in every notebook."""
    for path in map(Path, paths):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell, shown in zip(notebook["cells"], outputs(notebook["cells"]), strict=True):
            if cell["cell_type"] == "code":
                cell["outputs"] = shown
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
