import evocheckers


def test_every_public_name_is_there():
    assert sorted(evocheckers.__all__) == sorted(evocheckers._HOMES)
    for name in evocheckers.__all__:
        found = getattr(evocheckers, name)
        assert getattr(found, "__name__", name) == name


def test_dir_knows_them():
    assert set(evocheckers.__all__) <= set(dir(evocheckers))
    assert "__version__" in dir(evocheckers)
