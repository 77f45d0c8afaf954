"""Settings that make no sense are refused in one line that names them and what they may be."""

import math

import pytest

from evocheckers.evolution.evolve import evolve
from evocheckers.evolution.registry import PRESETS, SCHEMES, find_preset, find_scheme, make_settings
from evocheckers.evolution.scheme import ConfigError
from evocheckers.executors.threads import ThreadExecutor


@pytest.mark.parametrize(
    ("scheme", "values", "message"),
    [
        ("es", {"sigma": math.inf}, "setting sigma = inf: must be a number above 0, at most 10"),
        ("es", {"sigma": math.nan}, "setting sigma = nan: must be a number above 0, at most 10"),
        ("es", {"sigma": 1e300}, "setting sigma = 1e+300: must be a number above 0, at most 10"),
        ("es", {"sigma": None}, "setting sigma = None: must be a number above 0, at most 10"),
        (
            "es",
            {"layers": [math.nan, 1, 1, 1]},
            "setting layers = [nan, 1, 1, 1]: must be 4 values, each a number between 0 and 100",
        ),
        ("es", {"layers": [1, 2]}, "setting layers = [1, 2]: must be 4 values, each a number between 0 and 100"),
        ("es", {"layers": [0, 0, 0, 0]}, "setting layers = [0.0, 0.0, 0.0, 0.0]: must not all be 0"),
        ("es", {"king_min": 3, "king_max": 1}, "setting king_min = 3.0: must not be above king_max = 1.0"),
        ("es", {"king_value": 4}, "setting king_value = 4.0: must be between king_min = 1.0 and king_max = 3.0"),
        ("anaconda", {"king_min": 2.5, "king_max": 2.0}, "setting king_min = 2.5: must not be above king_max = 2.0"),
        ("anaconda", {"opponents": 10**6}, "setting opponents = 1000000: must be a whole number between 1 and 10000"),
        ("anaconda", {"parents": 1.5}, "setting parents = 1.5: must be a whole number between 1 and 100000"),
        (
            "anaconda",
            {"parents": 10_000, "opponents": 1000},
            "setting parents = 10000: would make 20000000 games a generation; at most 10000000 are played",
        ),
        (
            "anaconda",
            {"step_size_limit": 0},
            "setting step_size_limit = 0: must be a number above 0, at most 100 or none",
        ),
        ("anaconda", {"tournament": "x"}, "setting tournament = 'x': must be one of 'random-opponents', 'round-robin'"),
        (
            "social",
            {"win": 99999999999999999999},
            "setting win = 99999999999999999999: must be a whole number between -1000 and 1000",
        ),
        ("hill-climbing", {"games": 2, "wins_needed": 3}, "setting wins_needed = 3: must not be above games = 2"),
        ("hill-climbing", {"inputs": 3}, "setting inputs = 3: must be one of 512, 128"),
    ],
)
def test_nonsense_is_refused_by_name_and_range(scheme, values, message):
    with pytest.raises(ConfigError) as refused:
        make_settings(find_scheme(scheme), values)
    assert str(refused.value) == message
    assert refused.value.name in values


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_every_number_has_two_ends(scheme):
    """So that no setting can be infinite, or overflow."""
    for name, schema in scheme.settings.model_json_schema()["properties"].items():
        numbers = [one for one in (schema, *schema.get("anyOf", ()), *schema.get("prefixItems", ())) if "type" in one]
        for number in numbers:
            if number["type"] in ("integer", "number") and "enum" not in number:
                assert any(end in number for end in ("minimum", "exclusiveMinimum")), name
                assert any(end in number for end in ("maximum", "exclusiveMaximum")), name


def test_a_long_value_is_not_repeated_whole():
    with pytest.raises(ConfigError) as refused:
        make_settings(find_scheme("es"), {"pairs": "9" * 5000})
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_have_64_bits(seed):
    with pytest.raises(ConfigError, match=f"seed = {seed}: must be a whole number between 0 and 18446744073709551615"):
        evolve("es", seed=seed, generations=1, executor=ThreadExecutor())


def test_a_schedule_that_does_not_fit_is_told():
    settings = make_settings(find_scheme("es"), {})
    assert settings.notices(300) == []
    assert settings.notices(50) == [
        "the schedule is 300 generations long, the run 50: the run ends first (setting schedule)"
    ]
    assert "continues with the last" in settings.notices(400)[0]


def test_settings_of_another_scheme_are_refused():
    other = make_settings(find_scheme("anaconda"), {})
    with pytest.raises(ConfigError, match="es takes EsSettings, not AnacondaSettings"):
        evolve("es", other, generations=1, executor=ThreadExecutor())


def test_presets_that_there_are_not():
    with pytest.raises(ConfigError, match=r"no preset 'blondie'; there are self-play, lamarck, baldwin, es") as refused:
        find_preset("blondie")
    assert refused.value.value == "blondie"


def test_every_preset_fits_its_own_ranges():
    for preset in PRESETS.values():
        make_settings(preset.scheme, preset.settings)
