"""A model's rewrite is called proven if it is correct, and never if it is wrong."""

from __future__ import annotations

import pytest
from wrong_rewrites import WRONG

from codeintel.contracts import TransformTask, Verdict, VerdictOutcome
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.levels import compare
from codeintel.engine.equivalence.readable import expected_equivalence

PROVEN, CHECKED, UNPROVEN = VerdictOutcome
PYTHON = "def f(xs):\n    if xs:\n        return xs[0]\n    else:\n        return 5\n"
JAVA = "class A {\n    int f(int a) {\n        return a + 2;\n    }\n}\n"


def verdict(kind: str, language: str, before: str, after: str, target: str = "") -> Verdict:
    """Return the verdict of a worker process's checks on a model's code."""
    target = target or language
    task = TransformTask(code=before, kind=kind, language=language, target=target, options={})
    comparison = Comparison(
        before=before,
        after=after,
        language=language,
        target=target,
        equivalence=expected_equivalence(task),
        by_model=True,
    )
    return Verdict(checks=tuple(compare(comparison)))


@pytest.mark.parametrize("title", WRONG)
def test_a_wrong_rewrite_is_not_proven(title: str) -> None:
    language, before, after, target = WRONG[title]
    assert before != after or target
    kind = "convert" if target else "refactor"
    found = verdict(kind, language, before, after, target)
    assert found.outcome is not VerdictOutcome.PROVEN, found.checks
    assert found.checks[0].status == "passed", "it can be read, so this test tells something"


@pytest.mark.parametrize(
    ("kind", "language", "before", "after", "outcome"),
    [
        ("refactor", "python", PYTHON, PYTHON, PROVEN),
        ("refactor", "java", JAVA, JAVA, PROVEN),
        ("refactor", "java", "class {", "class {", UNPROVEN),
        ("refactor", "python", PYTHON, PYTHON.replace("    else:\n    ", ""), PROVEN),
        ("refactor", "python", PYTHON, PYTHON.replace("if xs", "if len(xs)"), CHECKED),
        ("document", "python", PYTHON, PYTHON.replace(":\n", ':\n    """It."""\n', 1), PROVEN),
        ("document", "python", PYTHON, PYTHON.replace("xs[0]", "xs[1]"), UNPROVEN),
        ("document", "java", JAVA, JAVA.replace("    int f", "    /** It. */\n    int f"), PROVEN),
        ("document", "java", JAVA, JAVA.replace("a + 2", "2 + a"), UNPROVEN),
        ("refactor", "java", JAVA, JAVA.replace("a + 2", "2 + a"), CHECKED),
        ("document", "bash", 'f "a" "b"\n', '# It.\nf "a" "b"\n', PROVEN),
        ("document", "c", "#define f (x)\n", "#define f(x)\n", UNPROVEN),
        ("document", "html", "<i>a</i> <i>b</i>\n", "<!-- It. --><i>a</i><i>b</i>\n", CHECKED),
        ("refactor", "json", '{"a": [1, 2]}', '{\n  "a": [1, 2]\n}\n', PROVEN),
        ("refactor", "duckdb", "select a from t", "SELECT a\nFROM t", PROVEN),
        ("optimize", "duckdb", "SELECT a FROM t WHERE NOT (a = 1)", "SELECT a FROM t WHERE a <> 1",
         PROVEN),
        ("optimize", "duckdb", "SELECT a FROM t WHERE a > 1 AND a > 2",
         "SELECT a FROM t WHERE a > 2", CHECKED),
    ],
)  # fmt: skip
def test_verdicts_in_one_language(
    kind: str, language: str, before: str, after: str, outcome: VerdictOutcome
) -> None:
    found = verdict(kind, language, before, after)
    assert found.outcome is outcome, found.checks


@pytest.mark.parametrize(
    ("language", "target", "before", "after", "outcome"),
    [
        ("json", "yaml", '{"a": 5}', "a: 5\n", PROVEN),
        ("json", "yaml", '{"a": 5}', "a: 6\n", UNPROVEN),
        ("typescript", "javascript", "let a: number = 5;\n", "let a = 5;\n", PROVEN),
        ("typescript", "javascript", "let a: number = 5;\n", "let a = 6;\n", UNPROVEN),
        ("python", "javascript", "a = 5\n", "var a = 5;\n", CHECKED),
        ("postgres", "duckdb", "SELECT a FROM t", "SELECT a FROM t", CHECKED),
    ],
)
def test_verdicts_of_conversions(
    language: str, target: str, before: str, after: str, outcome: VerdictOutcome
) -> None:
    found = verdict("convert", language, before, after, target)
    assert found.outcome is outcome, found.checks
