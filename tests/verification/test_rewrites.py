"""Rewrites by models: correct ones are proven, and no wrong one is."""

from __future__ import annotations

from pathlib import Path

import pytest
from normal_form_mutants import mutants
from rewrite_samples import Rewrite, rewrites

from codeintel.contracts import CheckStatus, Equivalence, Promise
from codeintel.engine.equivalence import javascript_paths, levels, same_meaning
from codeintel.engine.equivalence.comparison import Comparison, Evidence
from codeintel.engine.equivalence.normal_form import walked
from codeintel.engine.equivalence.python_paths import programs

PROGRAM = Path(__file__).parent.parent / "transformations" / "python" / "programs" / "exercises.py"
SAMPLES = list(rewrites())
RIGHT = [each for each in SAMPLES if each.is_right]
WRONG = [each for each in SAMPLES if not each.is_right]


def compared(before: str, after: str, language: str, *, by_model: bool = True) -> Evidence:
    return same_meaning.compare(
        Comparison(
            before=before, after=after, language=language, target=language, by_model=by_model
        )
    )


@pytest.mark.parametrize("sample", RIGHT, ids=lambda each: each.name)
def test_a_right_rewrite_is_proven_both_ways(sample: Rewrite) -> None:
    for before, after in ((sample.before, sample.after), (sample.after, sample.before)):
        evidence = compared(before, after, sample.language)
        assert evidence.status is CheckStatus.PASSED, evidence.text
        assert evidence.conclusive


@pytest.mark.parametrize("sample", WRONG, ids=lambda each: each.name)
def test_a_wrong_rewrite_is_proven_neither_way(sample: Rewrite) -> None:
    for before, after in ((sample.before, sample.after), (sample.after, sample.before)):
        evidence = compared(before, after, sample.language)
        assert evidence.status is not CheckStatus.PASSED
        assert not evidence.conclusive


def test_a_constant_that_others_may_use_may_come_but_not_go() -> None:
    plain = "def f(x: int):\n    return x > 5\n"
    named = "MAX = 5\ndef f(x: int):\n    return x > MAX\n"
    assert compared(plain, named, "python").status is CheckStatus.PASSED
    assert compared(named, plain, "python").status is CheckStatus.FAILED


def test_there_are_many_samples_of_each_language() -> None:
    counts = {
        (language, is_right): sum(
            each.language == language and each.is_right is is_right for each in SAMPLES
        )
        for language in ("python", "typescript")
        for is_right in (True, False)
    }
    assert counts["python", True] >= 110 and counts["python", False] >= 200
    assert counts["typescript", True] >= 45 and counts["typescript", False] >= 100


def test_no_mutant_of_a_function_is_proven() -> None:
    code = PROGRAM.read_text(encoding="utf-8")
    alike = [
        name
        for name, mutant in mutants(code, every=9)
        if not programs.differences(walked(code), walked(mutant))
    ]
    assert not alike


CHANGES = (
    *((" < ", " <= "), (" > ", " >= "), (" && ", " || "), (" || ", " && "), (" === ", " !== ")),
    *((" * ", " + "), ("true", "false"), ("return ", ""), ("break;", "continue;"), ("!", "")),
    *((".name", ".size"), (" 0", " 1"), ("push(", "unshift("), ("continue;", "break;")),
)
"""What makes another program of one, wherever it stands."""


def test_no_mutant_of_typescript_is_proven() -> None:
    originals = {each.before for each in SAMPLES if each.language == "typescript"}
    alike = []
    for code in sorted(originals):
        for old, new in CHANGES:
            mutant = code.replace(old, new, 1)
            evidence = compared(code, mutant, "typescript")
            if mutant != code and evidence.status is CheckStatus.PASSED:
                alike.append((old, new, code))
    assert not alike


def test_only_what_a_model_wrote_is_compared_by_paths() -> None:
    before = "def f(a):\n    b = a.c\n    return b\n"
    after = "def f(a):\n    if a.c:\n        return a.c\n    return a.c\n"
    assert compared(before, after, "python", by_model=False).status is CheckStatus.FAILED


def test_comments_of_a_model_may_differ_and_the_evidence_says_so() -> None:
    before = "def f(a):\n    # The part.\n    b = a.c\n    g()\n    return b\n"
    after = "def f(a):\n    part = a.c\n    g()\n    return part\n"
    evidence = compared(before, after, "python")
    assert evidence.status is CheckStatus.PASSED
    assert "1 comment is missing" in evidence.text and "The proof assumes" in evidence.text


@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx"])
def test_unreadable_code_is_not_proven(language: str) -> None:
    evidence = javascript_paths.compare(
        Comparison(before="f(", after="g(", language=language, target=language)
    )
    assert evidence.status is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "def f(x):\n" + "    if x.a: g()\n" * 60 + "    return x\n"),
        ("typescript", "function f(x) {\n" + "  if (x.a) g();\n" * 60 + "  return x;\n}\n"),
    ],
)
def test_too_many_paths_are_not_followed(language: str, code: str) -> None:
    other = code.replace("return x", "return x.b")
    assert compared(code, other, language).status is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "def f(x: int):\n" + "    x = x + x\n" * 80 + "    return x\n"),
        ("typescript", f"function f(x) {{ return {'x + ' * 900}x; }}\n"),
    ],
)
def test_values_of_very_many_parts_are_not_followed(language: str, code: str) -> None:
    other = code.replace("f(x", "g(x", 1)
    assert compared(code, other, language).status is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("after", "status"),
    [
        ("const f = (x) => x?.y;", CheckStatus.PASSED),
        ("const f = (x) => x.y;", CheckStatus.NOT_APPLICABLE),
    ],
)
def test_javascript_of_a_model_is_compared(after: str, status: CheckStatus) -> None:
    comparison = Comparison(
        before="const f = (x) => (x == null ? undefined : x.y);",
        after=after,
        language="javascript",
        target="javascript",
        equivalence=Equivalence.NORMAL_FORM,
        by_model=True,
    )
    check = next(each for each in levels.compare(comparison) if each.name == Promise.EQUIVALENT)
    assert check.status is status
    assert check.conclusive is (status is CheckStatus.PASSED)


@pytest.mark.parametrize(
    ("kept", "told", "question"),
    [
        ("self.x = x", "self.x: str = x", 'self.x != ""'),
        ("self.x = x", "self.x: int = x", "self.x != 0"),
    ],
)
def test_what_only_a_rewrite_annotates_is_not_believed(kept: str, told: str, question: str) -> None:
    before = OWNER.format(begin=kept, question="self.x")
    after = OWNER.format(begin=told, question=question)
    assert compared(before, after, "python").status is not CheckStatus.PASSED
    annotated = OWNER.format(begin=told, question="self.x")
    assert compared(annotated, after, "python").status is CheckStatus.PASSED


OWNER = """
class Owner:
    def __init__(self, x):
        {begin}

    def asked(self):
        if {question}:
            return 1
        return 2
"""
