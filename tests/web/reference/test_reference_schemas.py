"""From schemas to rows, samples and commands; and the Markdown of descriptions."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

import pytest

from codeintel.web.schemas.commands import curl
from codeintel.web.schemas.samples import sample
from codeintel.web.schemas.shapes import Shapes
from codeintel.web.text import inline, paragraphs

SCHEMAS: dict[str, Any] = {
    "Tree": {
        "type": "object",
        "description": "A tree.\n\nIt nests.",
        "properties": {
            "name": {"type": "string", "default": "leaf"},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
        },
        "required": ["children"],
    },
    "Colour": {"type": "string", "enum": ["red", "green"]},
}
SHAPES = Shapes({"components": {"schemas": SCHEMAS}})
TREE = {"$ref": "#/components/schemas/Tree"}
COLOUR = {"$ref": "#/components/schemas/Colour"}


@pytest.mark.parametrize(
    ("schema", "words", "constraints"),
    [
        ({}, "any value", ()),
        ({"type": "string", "maxLength": 1000}, "string", ("at most 1,000 characters",)),
        ({"type": "integer", "minimum": 0, "maximum": 9}, "integer", ("0 to 9",)),
        ({"type": "array", "items": TREE, "minItems": 1}, "array of Tree", ("at least 1 item",)),
        (COLOUR, "string", ("one of `red`, `green`",)),
        ({"enum": ["a"], "type": "string"}, "string", ("always `a`",)),
        ({"anyOf": [COLOUR, {"type": "null"}]}, "string or null", ("one of `red`, `green`",)),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, "number", ()),
        ({"type": "boolean", "default": False}, "boolean", ("default `false`",)),
        ({"type": "string", "format": "date-time"}, "string (date-time)", ()),
        (
            {"type": "object", "additionalProperties": {"type": "string"}},
            "map of string to string",
            (),
        ),
    ],
)
def test_types_and_constraints(
    schema: dict[str, Any], words: str, constraints: tuple[str, ...]
) -> None:
    row = SHAPES.row("field", schema, required=True)
    assert (row.type, row.constraints) == (words, constraints)


def test_a_recursive_object_is_entered_once() -> None:
    rows = SHAPES.all_rows(TREE)
    assert [row.name for row in rows] == [
        "name",
        "children",
        "children[].name",
        "children[].children",
    ]
    assert rows[1].object == "Tree"
    assert [row.required for row in rows[:2]] == [False, True]


def test_a_field_without_a_description_has_that_of_its_type() -> None:
    assert SHAPES.row("tree", TREE, required=True).description == "A tree."


def test_a_sample_of_a_recursive_object_ends() -> None:
    assert sample(SHAPES, TREE, depth=2) == {"name": "leaf", "children": [{}]}


def test_markdown_is_escaped_first() -> None:
    assert inline("a `<b>` <i>`") == "a <code>&lt;b&gt;</code> &lt;i&gt;`"
    assert paragraphs(" one\n  line\n\n\ntwo ") == ("one line", "two")
    assert paragraphs("") == ()


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a POSIX shell")
def test_a_shell_reads_the_command_as_meant() -> None:
    command = curl(
        'http://$(x)`"\\', "POST", "/a/{run_id}", key=True, example={"q": "it's $HOME"}, stream=True
    )
    script = f"curl() {{ printf '%s\\n' \"$@\"; }}\n{command}"
    environment = {"RUN_ID": "r1", "CODEINTEL_API_KEY": "k"}
    done = subprocess.run(
        ["/bin/sh", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "--no-buffer",
        'http://$(x)`"\\/a/r1',
        "-H",
        "Authorization: Bearer k",
        "-H",
        "Content-Type: application/json",
        "-d",
        "{",
        '  "q": "it\'s $HOME"',
        "}",
    ]
