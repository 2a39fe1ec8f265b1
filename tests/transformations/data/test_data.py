"""JSON, YAML and TOML into each other, and tidied."""

from __future__ import annotations

import json

import pytest
from codeintel_plugins.transformations.data.reading import OCTALS, SIXTIES, UNDERSCORES
from codeintel_plugins.transformations.data.transforming import DataConvert, DataRefactor
from hypothesis import given, settings, strategies as st

from codeintel.contracts import CheckStatus, Rewrite, RewriteRequest, Unsupported
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.data_models import compare

DIGITS = "Numbers are rounded to 64 bits"
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    ["no", "on", "y", "0o7", "1_000", "12:30", "1e5", "~", "null", "2024-01-01", ".inf", "=", "<<"]
)
VALUES = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)


def converted(code: str, language: str, target: str, **options: object) -> Rewrite:
    request = RewriteRequest(code=code, language=language, target=target, options=options)
    result = DataConvert().rewrite(request)
    comparison = Comparison(
        before=code, after=result.code, language=language, target=target, losses=result.losses
    )
    evidence = compare(comparison)
    assert evidence.status is CheckStatus.PASSED, evidence.text
    return result


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_values_survive_the_way_through_all_formats(value: dict[str, object]) -> None:
    code = json.dumps(value, allow_nan=True).replace("Infinity", "1.5")
    there = converted(code, "json", "yaml").code
    further = converted(there, "yaml", "toml").code
    back = converted(further, "toml", "json").code
    assert json.loads(back) == json.loads(code)


@pytest.mark.parametrize(
    ("code", "language", "target", "loss"),
    [
        ("a: 1 # why", "yaml", "json", "Comments are removed."),
        ("a: &x [1]\nb: *x", "yaml", "json", "Aliases are expanded."),
        ("a: ~\nb: 1", "yaml", "toml", "Keys without a value are removed (`a`)."),
        ("a = 2024-01-01", "toml", "json", "Dates and times become strings (`a`)."),
        ("1: a", "yaml", "json", "Keys that are not strings become strings (`1`)."),
        ("a: .nan", "yaml", "json", "Infinity and NaN become null (`a`)."),
        ("a: !x b", "yaml", "json", "Tags are removed, but their values are kept (`a`)."),
        ("a: {b: 1}\nc: 2", "yaml", "toml", "The order of keys changes, because tables come last."),
        (
            *("a: [{b: !x 1}, {b: !y [2]}]\nc: !z d", "yaml", "json"),
            "Tags are removed, but their values are kept: 3 (`a[].b`, `c`).",
        ),
        (
            *('{"a": [{"b": null}, {"b": null}, {"c": {"d": null}}]}', "json", "toml"),
            "Keys without a value are removed: 3 (`a[].b`, `a[].c.d`).",
        ),
        ("[2024-01-01]", "yaml", "json", "Dates and times become strings (`[]`)."),
        ("2024-01-01", "yaml", "json", "Dates and times become strings (`.`)."),
        ("a: !!binary aGk=", "yaml", "json", "Binary values become Base64 strings (`a`)."),
        ('{"a": 0.10000000000000000001}', "json", "yaml", f"{DIGITS} (`a`)."),
        ("a = 3.14159265358979323846", "toml", "json", f"{DIGITS} (`a`)."),
        ("a: 1e-400", "yaml", "toml", f"{DIGITS} (`a`)."),
        ("a: 012\nb: 0o14\nc: -0644", "yaml", "json", f"{OCTALS}: 3 (`a`, `b`, `c`)."),
        ("a: 1:30\nb: [12:30:45]", "yaml", "toml", f"{SIXTIES}: 2 (`a`, `b[]`)."),
        ("a: 1_000\nb: 0b11\nc: 1_0.5", "yaml", "json", f"{UNDERSCORES}: 3 (`a`, `b`, `c`)."),
        ('{"a": -0}', "json", "yaml", "Negative zeros lose their sign."),
    ],
)
def test_losses_are_named_and_refused_if_asked(
    code: str, language: str, target: str, loss: str
) -> None:
    assert loss in converted(code, language, target).losses
    with pytest.raises(Unsupported):
        converted(code, language, target, strict=True)


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("a: !!str 123\nb: &x !!str 012\nc: !!str 0o14", {"a": "123", "b": "012", "c": "0o14"}),
        ("é: !!str 1_000\nü: !!str 12", {"é": "1_000", "ü": "12"}),
        ("a: !!int 12\nb: !!float 1", {"a": 12, "b": 1.0}),
        (
            "a: '012'\nb: \"1:30\"\nc: 1:90\nd: a_1",
            {"a": "012", "b": "1:30", "c": "1:90", "d": "a_1"},
        ),
        ("a: 0\nb: 10\nc: 0.5\nd: -7\ne: 0x1f", {"a": 0, "b": 10, "c": 0.5, "d": -7, "e": 31}),
    ],
)
def test_what_is_sure_has_no_loss(code: str, values: dict[str, object]) -> None:
    result = converted(code, "yaml", "json")
    assert repr(json.loads(result.code)) == repr(values)
    assert not result.losses


@pytest.mark.parametrize(
    ("code", "language", "target"),
    [
        ('{"a": 1,\n"a": 2}', "json", "yaml"),
        ("a: 1\na: 2", "yaml", "json"),
        ("a = 1\na = 2", "toml", "json"),
        ("a: 1\n---\nb: 2", "yaml", "json"),
        ("[1]", "json", "toml"),
        ('{"a": [1, null]}', "json", "toml"),
        ("&a [*a]", "yaml", "json"),
        ("? [a]\n: 1", "yaml", "json"),
        ('{"a": NaN}', "json", "yaml"),
        ('{"a": 99999999999999999999}', "json", "toml"),
        ('{"a": 1e400}', "json", "yaml"),
        ("a = 1e400", "toml", "json"),
        ("a: -1e400", "yaml", "json"),
        pytest.param(f"a: {'9' * 5_000}", "yaml", "json", id="digits"),
        ("[" * 5_000 + "]" * 5_000, "json", "yaml"),
        (
            "a: &a [1,1,1,1,1,1]\n"
            + "".join(
                f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n"
                for n in range(9)
            ),
            "yaml",
            "json",
        ),
    ],
)
def test_what_cannot_be_done_is_refused(code: str, language: str, target: str) -> None:
    with pytest.raises(Unsupported):
        converted(code, language, target)


@pytest.mark.parametrize(
    ("code", "language", "tidy"),
    [
        ('{"a":1.0e5,"b":[1,{}]}', "json", '{\n  "a": 1.0e5,\n  "b": [\n    1,\n    {}\n  ]\n}\n'),
        ("# c\na=1  \n\n\n\nb   = 2", "toml", "# c\na = 1\n\nb = 2\n"),
        ('a = """\n x  \n\n\n"""\n', "toml", 'a = """\n x  \n\n\n"""\n'),
        ("a: |\n  x  \n\n\n  y\n\n\n# c\nb: 1  \n", "yaml", None),
    ],
)
def test_data_is_tidied_once(code: str, language: str, tidy: str | None) -> None:
    def tidied(text: str) -> str:
        request = RewriteRequest(code=text, language=language, target=language, options={})
        return DataRefactor().rewrite(request).code

    result = tidied(code)
    comparison = Comparison(before=code, after=result, language=language, target=language)
    assert compare(comparison).status is CheckStatus.PASSED
    assert tidied(result) == result
    assert tidy is None or result == tidy
