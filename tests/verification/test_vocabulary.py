"""The changes to constants, imports and calls that a model may make, and those it may not."""

from __future__ import annotations

import time

import pytest
from vocabulary_conversions import CONVERTED, GONE, KEPT, NOT_CONVERTED
from vocabulary_log_program import ODDS
from vocabulary_markup_samples import ALIKE, UNLIKE
from vocabulary_modern import MODERN, OLD_MISTAKES
from vocabulary_mutants import MUTANTS
from vocabulary_reaching import REACHING, STAYING
from vocabulary_refactorings import REFACTORED
from vocabulary_router_program import ROUTER
from vocabulary_samples import ATTACKS, REFACTORINGS
from vocabulary_stock_program import INVENTORY, ORDERS

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.behaviour_heuristics import compare
from codeintel.engine.equivalence.comparison import Comparison, Evidence

PROGRAMS = (INVENTORY, ODDS, ROUTER, ORDERS)


def compared(
    language: str, before: str, after: str, *, target: str = "", by_model: bool = True
) -> Evidence:
    return compare(
        Comparison(
            before=before,
            after=after,
            language=language,
            target=target or language,
            by_model=by_model,
        )
    )


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [*REFACTORINGS, *REFACTORED, *MODERN, *PROGRAMS, *ALIKE, *KEPT, *STAYING],
)
def test_real_refactorings_pass(language: str, before: str, after: str) -> None:
    evidence = compared(language, before, after)
    assert evidence.status is CheckStatus.PASSED, evidence.text


@pytest.mark.parametrize(
    ("language", "before", "after"), [*ATTACKS, *UNLIKE, *GONE, *REACHING, *OLD_MISTAKES]
)
def test_attacks_are_caught(language: str, before: str, after: str) -> None:
    evidence = compared(language, before, after)
    assert evidence.status is CheckStatus.FAILED, evidence.text


@pytest.mark.parametrize(
    ("language", "code", "old", "new"),
    [(language, code, *change) for language, code, changes in MUTANTS for change in changes],
)
def test_mutants_are_caught(language: str, code: str, old: str, new: str) -> None:
    assert old in code
    evidence = compared(language, code, code.replace(old, new, 1))
    assert evidence.status is CheckStatus.FAILED, evidence.text


@pytest.mark.parametrize(("source", "before", "target", "after"), CONVERTED)
def test_conversions_pass(source: str, before: str, target: str, after: str) -> None:
    evidence = compared(source, before, after, target=target)
    assert evidence.status is CheckStatus.PASSED, evidence.text


@pytest.mark.parametrize(("source", "before", "target", "after"), NOT_CONVERTED)
def test_what_is_no_conversion(source: str, before: str, target: str, after: str) -> None:
    evidence = compared(source, before, after, target=target)
    assert evidence.status is CheckStatus.FAILED, evidence.text


@pytest.mark.parametrize(
    ("language", "before"),
    sorted(
        {
            *(sample[:2] for sample in [*REFACTORINGS, *REFACTORED, *ATTACKS, *ALIKE, *GONE]),
            *(sample[:2] for sample in MUTANTS),
        }
    ),
)
def test_what_is_the_same_passes(language: str, before: str) -> None:
    assert compared(language, before, before).status is CheckStatus.PASSED


def test_what_rules_did_is_not_compared_here() -> None:
    evidence = compared("python", "x = 5\n", "x = 6\n", by_model=False)
    assert evidence.status is CheckStatus.NOT_APPLICABLE


@pytest.mark.parametrize(("language", "code"), [("dockerfile", "FROM a"), ("json", "5")])
def test_languages_that_are_not_told_apart(language: str, code: str) -> None:
    assert compared(language, code, code).status is CheckStatus.NOT_APPLICABLE


_SUM = "def f(a, b):\n    return a + b\n"


@pytest.mark.parametrize(
    ("before", "after", "is_tentative"),
    [
        (_SUM, _SUM.replace("+", "-"), True),
        (f"print(1)\n{_SUM}", f"print(1)\n{_SUM}".replace("+", "-"), True),
        (_SUM, _SUM.replace("a + b", "a - 7"), True),
        (_SUM, _SUM.replace("a + b", "a[7:]"), False),
        (f"{_SUM}X = 'a'\n", f"{_SUM}X = 'b'\n".replace("+", "-"), False),
        (f"{_SUM}\n\ndef g():\n    return 7\n", _SUM.replace("+", "-"), False),
        (_SUM, _SUM.replace("a + b", "open(a - b)"), False),
        (_SUM.replace("b\n", "open(b)\n"), _SUM.replace("+ b\n", "- open(b)\n"), False),
        (_SUM, f"import os\n{_SUM}".replace("+", "-"), False),
        (_SUM, "", False),
    ],
)
def test_what_functions_do_is_a_doubt_and_the_rest_a_fault(
    before: str, after: str, is_tentative: bool
) -> None:
    evidence = compared("python", before, after)
    assert (evidence.status, evidence.tentative) == (CheckStatus.FAILED, is_tentative)


def test_evidence_never_quotes_values() -> None:
    evidence = compared("python", "key = 'hunter2'\nn = 4711\n", "key = 'swordfish'\nn = 4712\n")
    assert evidence.status is CheckStatus.FAILED
    for value in ("hunter2", "swordfish", "4711", "4712"):
        assert value not in evidence.text
    assert "line 1" in evidence.text
    assert "line 2" in evidence.text


@pytest.mark.parametrize(
    ("source", "before", "target", "after", "expected"),
    [
        (
            "python",
            "def area(r):\n    return 3.14 * r ** 2\n",
            "javascript",
            "function area(r) { return 3.14 * r ** 2; }",
            CheckStatus.FAILED,  # the power of two is a number there
        ),
        (
            "python",
            "def f(x):\n    print('total: %d' % (x + 5))\n",
            "javascript",
            "function f(x) { console.log(`total: ${x + 5}`); }",
            CheckStatus.PASSED,
        ),
        (
            "typescript",
            "const limit: number = 10.0; const mode: 'a' | 'b' = 'a';",
            "javascript",
            "const limit = 10; const mode = 'a';",
            CheckStatus.PASSED,
        ),
        (
            "python",
            "def f(x):\n    return x + 5\n",
            "javascript",
            "function f(x) { fetch(x); return x + 5; }",
            CheckStatus.FAILED,
        ),
    ],
)
def test_across_languages(
    source: str, before: str, target: str, after: str, expected: CheckStatus
) -> None:
    assert compared(source, before, after, target=target).status is expected


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "x = " + "+".join(["a"] * 20_000)),
        ("python", "x = " + "+".join(["a"] * 2_000)),
        ("python", "x = " + "-" * 2_000 + "5"),
        ("python", "f(" * 90 + ")" * 90),
        ("python", "x = 0x" + "f" * 20_000),
        ("python", "x = 10 ** 10 ** 10 ** 10"),
        ("python", "x = 1 / 0 + 1e308 * 1e308"),
        ("javascript", "x = " + "+".join(["a"] * 30_000)),
        ("javascript", "x = " + "9" * 50_000),
        ("javascript", "x = " + "[" * 5_000 + "]" * 5_000),
        ("javascript", "x = " + "`${" * 2_000 + "y" + "}`" * 2_000),
    ],
    ids=range(11),
)
def test_hostile_code_ends(language: str, code: str) -> None:
    evidence = compared(language, code, code)
    assert evidence.status in (CheckStatus.PASSED, CheckStatus.NOT_APPLICABLE)


_SHORTER, _LONGER = 10_000, 40_000
_LONG = {
    "calls": ("python", "if a < b:\n    c()\n"),
    "functions": ("python", "def f{}(a):\n    if a < b and c:\n        return f(1)\n"),
    "branches": ("javascript", "if (a < b) { c(); }\n"),
    "else": ("javascript", "if (a < b) {} else "),
    "sum": ("javascript", "a +"),
    "and": ("javascript", "a &&"),
    "within": ("javascript", "f(a, "),
    "styles": ("css", "a { color: red }\n"),
    "page": ("html", "<p class='a'>b</p>\n"),
    "words": ("markdown", "a b [c](https://d.example)\n"),
}
_ENDS = {"else": "{}", "sum": "a", "and": "a"}


def _long(name: str, characters: int) -> tuple[str, str]:
    language, line = _LONG[name]
    count = characters // len(line)
    if name == "else":
        return language, line * count + _ENDS[name]
    code = "".join(line.replace("{}", str(at), 1) for at in range(count))
    return language, code + ("a" + ")" * count if name == "within" else _ENDS.get(name, ""))


def _took(name: str, characters: int) -> float:
    """Return the CPU seconds of a comparison."""
    language, code = _long(name, characters)
    began = time.process_time()
    evidence = compared(language, code, code)
    took = time.process_time() - began
    assert evidence.status is CheckStatus.PASSED, evidence.text
    return took


@pytest.mark.parametrize("name", _LONG)
def test_four_times_the_code_takes_about_four_times_as_long(name: str) -> None:
    # Squared it would be 16 times. The two are measured side by side, and the best of some tries
    # counts: processors change their pace, and others may be at work on the same machine.
    assert min(_took(name, _LONGER) / _took(name, _SHORTER) for _ in range(4)) < 10
