"""The range of a setting in words, for messages and lists.

>>> from evocheckers.evolution.es import EsSettings
>>> range_of(EsSettings, "pairs"), range_of(EsSettings, "sigma")
('a whole number between 1 and 1000000', 'a number above 0, at most 10')
>>> range_of(EsSettings, "openings")
"one of 'start', 'first-moves', 'two-move', 'three-move'"
"""

from typing import Any

from evocheckers.evolution.scheme import Settings

_NUMBERS = {"integer": "a whole number", "number": "a number"}


def range_of(settings: type[Settings], name: str) -> str:
    """The values that a setting may take."""
    return _range(settings.model_json_schema()["properties"][name])


def _range(schema: dict[str, Any]) -> str:
    if "enum" in schema or "const" in schema:
        choices = schema.get("enum", [schema.get("const")])
        return f"one of {', '.join('none' if choice is None else repr(choice) for choice in choices)}"
    if "anyOf" in schema:
        return " or ".join("none" if one.get("type") == "null" else _range(one) for one in schema["anyOf"])
    if "prefixItems" in schema:
        return f"{len(schema['prefixItems'])} values, each {_range(schema['prefixItems'][0])}"
    if "items" in schema:
        return f"several values, each {_range(schema['items'])}"
    if schema.get("type") in _NUMBERS:
        return f"{_NUMBERS[schema['type']]}{_bounds(schema)}"
    return {"boolean": "true or false", "string": "a text"}.get(schema.get("type", ""), "of another form")


def _bounds(schema: dict[str, Any]) -> str:
    if "minimum" in schema and "maximum" in schema:
        steps = f" in steps of {schema['multipleOf']}" if "multipleOf" in schema else ""
        return f" between {schema['minimum']:.15g} and {schema['maximum']:.15g}{steps}"
    words = {
        "minimum": "at least",
        "exclusiveMinimum": "above",
        "maximum": "at most",
        "exclusiveMaximum": "below",
    }
    bounds = [f"{word} {schema[key]:.15g}" for key, word in words.items() if key in schema]
    return f" {', '.join(bounds)}" if bounds else ""
