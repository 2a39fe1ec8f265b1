"""The fields of the form that sends a request to an operation."""

from __future__ import annotations

from typing import Any, NamedTuple

from codeintel.web.schemas.shapes import Schema, Shapes
from codeintel.web.text import paragraphs


class Input(NamedTuple):
    """A field. `place` is `path`, `query` or `header`. With `options`, it is a list."""

    name: str
    place: str
    required: bool
    options: tuple[str, ...]
    value: str
    hint: str
    is_number: bool


def inputs(shapes: Shapes, parameters: list[Schema]) -> tuple[Input, ...]:
    """Return the fields for parameters of OpenAPI."""
    return tuple(_input(shapes, each) for each in parameters)


def _input(shapes: Shapes, parameter: Schema) -> Input:
    schema = shapes.resolve(parameter["schema"])
    is_required = parameter.get("required", False)
    text = parameter.get("description") or schema.get("description", "")
    return Input(
        name=parameter["name"],
        place=parameter["in"],
        required=is_required,
        options=tuple(str(each) for each in schema.get("enum", ())),
        value=_text(example_value(shapes, parameter)),
        hint=next(iter(paragraphs(text)), ""),
        is_number=schema.get("type") == "integer",
    )


def example_value(shapes: Shapes, parameter: Schema) -> Any:
    """Return a value to send, or None if the parameter can be left out."""
    schema = shapes.resolve(parameter["schema"])
    if examples := schema.get("examples"):
        return examples[0]
    if parameter["in"] == "path" or not parameter.get("required", False):
        return None
    return schema.get("default", schema.get("minimum"))


def _text(value: Any) -> str:
    return "" if value is None else str(value)
