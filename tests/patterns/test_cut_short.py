"""Incomplete execution of C code is reported in a note, with the position and the reason."""

from __future__ import annotations

import pytest
from codeintel_plugins.patterns import PatternAnalyzer

from codeintel.contracts import AnalyzerRequest, Model, Note
from codeintel.engine.symbolic import find

CODE = "int half(int n) { if (n > 3) return n / 2; return n; }\n"
NESTED = "int f(int n) { return " + "(" * 3000 + "n" + ")" * 3000 + "; }\n"


# Each branch results in another state, so that they cannot be joined.
BRANCHY = (
    "int branchy(int n, char **p) {\n"
    + "".join(f"  char *v{i} = n > {i} ? p[{i}] : 0;\n" for i in range(40))
    + "".join(f"  if (v{i}) p[{i}][n] = 1;\n" for i in range(40))
    + "  return 0;\n}\n"
)
MANY_WAYS = (
    "int many(int n) { return " + " + ".join(f"(n > {i} ? 1 : 2)" for i in range(12)) + "; }\n"
)


def notes(code: str) -> list[str]:
    """Return the notes about paths of the code that were not executed."""
    request = AnalyzerRequest(code=code, language="c", model=Model.PRO)
    said = (each for each in PatternAnalyzer().analyze(request) if isinstance(each, Note))
    return [each.message for each in said if each.truncated]


def cut_short(code: str) -> bool:
    """Return whether a note reports paths that were not executed."""
    return bool(notes(code))


def test_code_that_is_executed_to_its_end() -> None:
    assert not cut_short(CODE)


def test_too_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "MAX_SECONDS", -1.0)
    assert cut_short(CODE)


def test_too_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "MAX_WORK", 0)
    assert cut_short(CODE)


def test_code_that_is_nested_too_deeply() -> None:
    assert cut_short(NESTED)


def test_too_little_time_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeintel.engine.symbolic.reading.reader.MAX_SECONDS", -1.0)
    assert cut_short(CODE)


@pytest.mark.parametrize(
    ("limit", "value", "says"),
    [
        ("find.MAX_SECONDS", -1.0, "not analyzed"),
        ("find.MAX_WORK", 0, "the function `half` was not analyzed"),
        ("find.MAX_FUNCTION_WORK", 0, "the function `half` has too many paths"),
        ("reading.reader.MAX_SECONDS", -1.0, "part of the file was not read"),
        ("reading.reader.MAX_DEPTH", 3, "nested too deeply"),
        ("paths._MAX_RUNS", 0, "the function `half` has too many paths"),
        ("paths.MAX_STATES", 0, "the function `half` has too many paths"),
    ],
)
def test_each_bound_says_what_it_left_out(
    monkeypatch: pytest.MonkeyPatch, limit: str, value: float, says: str
) -> None:
    monkeypatch.setattr(f"codeintel.engine.symbolic.{limit}", value)
    said = notes(CODE)
    assert len(said) == 1
    assert says in said[0]


@pytest.mark.parametrize("code", [BRANCHY, MANY_WAYS])
def test_the_bounds_as_they_are(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "MAX_SECONDS", 100.0)  # of work: others may be busy on the machine
    [said] = notes(code)
    assert "has too many paths to follow all of them" in said
    assert "the function `" in said


def test_of_many_functions_the_first_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "MAX_WORK", 0)
    [said] = notes("".join(f"int f{i}(int n) {{ return n; }}\n" for i in range(7)))
    assert "7 functions (`f0`, `f1`, `f2` and 4 more) were not analyzed" in said
