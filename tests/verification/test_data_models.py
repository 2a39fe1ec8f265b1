"""Equal values when read."""

from __future__ import annotations

import pytest

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.data_models import compare


def status(before: str, language: str, after: str, target: str, *losses: str) -> CheckStatus:
    comparison = Comparison(
        before=before, after=after, language=language, target=target, losses=losses
    )
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


@pytest.mark.parametrize(
    ("before", "language", "after", "target", "place"),
    [
        ("a = 2024-01-02", "toml", '{"a": "2024-01-02"}', "json", "a"),
        ("a = 10:20:30", "toml", "a: '10:20:30'", "yaml", "a"),
        ("a = inf", "toml", '{"a": null}', "json", "a"),
        ("a: [.nan]", "yaml", '{"a": [null]}', "json", "a[]"),
        ('{"a": null, "b": 1}', "json", "b = 1", "toml", "a"),
        ('{"a": [{"b": null}]}', "json", "a = [{}]", "toml", "a[].b"),
        ("1: a", "yaml", '{"1": "a"}', "json", "1"),
        ("a: !Ref b", "yaml", '{"a": "b"}', "json", "a"),
        ("!x [1]", "yaml", "[1]", "json", "."),
        ("a: !!binary aGk=", "yaml", '{"a": "aGk="}', "json", "a"),
        ('{"a": 1.00000000000000000001}', "json", "a: 1.0", "yaml", "a"),
        ("a: 1 # why", "yaml", '{"a": 1}', "json", "Comments"),
    ],
)
def test_what_is_lost_must_be_named(
    before: str, language: str, after: str, target: str, place: str
) -> None:
    said = f"Something is lost (`{place}`)."
    assert status(before, language, after, target, said) is CheckStatus.PASSED
    assert status(before, language, after, target) is CheckStatus.FAILED
    assert status(before, language, after, target, "Something (`b`).") is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("before", "after", "target"),
    [
        ('{"a": 1}', "{}", "yaml"),
        ('{"a": null}', "{}", "yaml"),
        ('{"a": 1e400}', "a: .inf", "yaml"),
        ('{"a": 1.5}', "a: 1.6", "yaml"),
        ('{"a": 9007199254740993}', "a: 9007199254740992", "yaml"),
    ],
)
def test_naming_a_loss_is_no_leave_to_change(before: str, after: str, target: str) -> None:
    assert status(before, "json", after, target, "Lost (`a`).") is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("yaml", "a: 1\n---\nb: 2", "a: 1 \n---\nb: 2"),
        ("yaml", "a: !Ref b", "a:  !Ref b"),
        ("yaml", "a: !x [1, !y {b: c}]", "a: !x\n- 1\n- !y\n  b: c"),
        ("yaml", "a: 0x10\nb: 1.50", "a: 16\nb: 1.5"),
        ("yaml", "1: a", "01: a"),
        ("yaml", "? [a]\n: 1", "? [ a ]\n: 1"),
        ("json", '{"a":1e400}', '{"a": 1e400}'),
        ("json", f"[{'9' * 5_000}]", f"[ {'9' * 5_000} ]"),
        ("json", "[1e99999999999999999999]", "[ 1e99999999999999999999 ]"),
    ],
)
def test_equal_values_in_the_same_format_pass(language: str, before: str, after: str) -> None:
    assert status(before, language, after, language) is CheckStatus.PASSED


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("yaml", "a: 1\n---\nb: 2", "a: 1\n---\nb: 3"),
        ("yaml", "a: 1\n---\nb: 2", "a: 1"),
        ("yaml", "a: 1", "a: 1\n---\na: 1"),
        ("yaml", "a: !Ref b", "a: b"),
        ("yaml", "a: !Ref b", "a: !Sub b"),
        ("yaml", "a: !!set {b}", "a: {b}"),
        ("yaml", "a: 1\na: 2", "a: 7"),
        ("yaml", "1: a", '"1": a'),
        ("yaml", "null: a", '"null": a'),
        ("yaml", "&a [*a]", "[1]"),
        ("json", '{"a": 1, "a": 2}', '{"a": 7}'),
        ("json", '{"a": 1.00000000000000000001}', '{"a": 1.0}'),
        ("json", '{"a": 1e400}', '{"a": 1e500}'),
        ("json", '{"a": 0.0}', '{"a": -0.0}'),
        ("json", '{"a": NaN, "b": 1}', '{"b": 2}'),
        ("json", f"[{'9' * 5_000}]", "[1]"),
        ("json", "[1e99999999999999999999]", "[1e99999999999999999998]"),
        ("json", "[" * 5_000 + "]" * 5_000, "[1]"),
        ("toml", f"a = {'9' * 5_000}", "a = 1"),
        ("toml", "a = 1.00000000000000000001", "a = 1.0"),
    ],
    ids=lambda text: text[:20],
)
def test_other_values_in_the_same_format_fail(language: str, before: str, after: str) -> None:
    assert status(before, language, after, language) is CheckStatus.FAILED


def test_aliases_of_aliases_are_compared_once() -> None:
    lines = ["a0: &a0 [1, 2]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    code = "\n".join(lines)
    assert status(code, "yaml", f"{code}\n", "yaml") is CheckStatus.PASSED
    assert status(code, "yaml", code.replace("2]", "3]"), "yaml") is CheckStatus.FAILED


def test_what_says_something_twice_does_not_pass() -> None:
    assert status('{"a": 1, "a": 2}', "json", "a: 2", "yaml") is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("before", "after", "losses", "is_conclusive"),
    [
        ("a = 1 # why\n", '{"a": 1}', ("Comments",), True),
        ("a = 2024-01-02", '{"a": "2024-01-02"}', ("`a` is a date",), False),
        ("a = 1", '{"a": 1}', (), True),
    ],
)
def test_a_value_that_is_lost_is_no_proof(
    before: str, after: str, losses: tuple[str, ...], is_conclusive: bool
) -> None:
    evidence = compare(
        Comparison(before=before, after=after, language="toml", target="json", losses=losses)
    )
    assert (evidence.status, evidence.conclusive) == (CheckStatus.PASSED, is_conclusive)
