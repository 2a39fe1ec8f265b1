"""Equal values when read."""

from __future__ import annotations

import pytest

from codeintel.contracts import CheckStatus
from codeintel.verification.comparison import Comparison
from codeintel.verification.data_models import compare


def status(before: str, language: str, after: str, target: str) -> CheckStatus:
    comparison = Comparison(before=before, after=after, language=language, target=target)
    return compare(comparison).status


@pytest.mark.parametrize(
    ("before", "language", "after", "target"),
    [
        ('{"a": [1, 1.0, true, null]}', "json", "a: [1, 1.0, true, null]", "yaml"),
        ("on: yes", "yaml", '{"on": "yes"}', "json"),
        ("a: 0o17\nb: 1e3", "yaml", "a = 15\nb = 1000.0", "toml"),
        ("a: &x [1]\nb: *x", "yaml", '{"a": [1], "b": [1]}', "json"),
        ("a: {<<: {b: 1}, c: 2}", "yaml", '{"a": {"b": 1, "c": 2}}', "json"),
        ("a: 2024-01-02", "yaml", "a = 2024-01-02", "toml"),
        ("a = 2024-01-02", "toml", '{"a": "2024-01-02"}', "json"),
        ("a = inf", "toml", '{"a": null}', "json"),
        ('{"a": null, "b": 1}', "json", "b = 1", "toml"),
        ("1: a", "yaml", '{"1": "a"}', "json"),
    ],
)
def test_equal_values_pass(before: str, language: str, after: str, target: str) -> None:
    assert status(before, language, after, target) is CheckStatus.PASSED


@pytest.mark.parametrize(
    ("before", "language", "after", "target"),
    [
        ('{"a": 1}', "json", "a: 1.0", "yaml"),
        ('{"a": 1}', "json", "a: true", "yaml"),
        ('{"a": "no"}', "json", "a: null", "yaml"),
        ('{"a": "1_0"}', "json", "a: 10", "yaml"),
        ('{"a": [1, 2]}', "json", "a: [2, 1]", "yaml"),
        ('{"a": 1}', "json", "a: 1\na: 1", "yaml"),
        ('{"a": null}', "json", "{}", "yaml"),
        ('{"a": 1}', "json", "a: 1\nb: 2", "yaml"),
        ("a = 1 # why\n", "toml", "a = 1\n", "toml"),
        ("a = 1\n", "toml", "a = ", "toml"),
    ],
)
def test_other_values_fail(before: str, language: str, after: str, target: str) -> None:
    assert status(before, language, after, target) is CheckStatus.FAILED


def test_what_says_something_twice_is_not_compared() -> None:
    assert status('{"a": 1, "a": 2}', "json", "a: 2", "yaml") is CheckStatus.NOT_APPLICABLE
