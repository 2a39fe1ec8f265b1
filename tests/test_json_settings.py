"""Settings that are JSON lists of objects."""

from __future__ import annotations

from typing import Any

import pytest

from codeintel.base.setting_values import json_list

EXAMPLE = '[{"name": "work"}]'
parse = json_list(EXAMPLE)


@pytest.mark.parametrize("given", ["", None, "[]", [], ()])
def test_nothing_is_an_empty_list(given: Any) -> None:
    assert parse(given) == ()


@pytest.mark.parametrize("given", ['[{"a": 1}]', [{"a": 1}], ({"a": 1},)])
def test_objects_are_given_back(given: Any) -> None:
    assert parse(given) == ({"a": 1},)


@pytest.mark.parametrize(
    "given",
    [
        *(" ", "s3cret", "{}", "null", "5", '["a"]', "[[]]", "[" * 50_000, "[{}"),
        *(b"[]", {"a": 1}, 5, True, ["a"], [None]),
    ],
)
def test_all_else_is_refused_without_being_repeated(given: Any) -> None:
    with pytest.raises(ValueError) as refused:
        parse(given)
    assert str(refused.value) == f"must be a JSON list like `{EXAMPLE}`"
