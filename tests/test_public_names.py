import evocheckers


def test_every_public_name_is_there():
    assert sorted(evocheckers.__all__, key=str.lower) == sorted(evocheckers._HOMES, key=str.lower)
    for name in evocheckers.__all__:
        assert getattr(evocheckers, name).__name__ == name
