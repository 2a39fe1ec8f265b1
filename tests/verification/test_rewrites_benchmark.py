"""The parts of the benchmark of rewrites that need no server: cases, verdicts, mutants."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from codeintel_plugins.openai.transforming import CodeReply

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
CASE = {
    "id": "a",
    "kind": "boundary",
    "right": False,
    "transformation": "refactor",
    "language": "python",
    "before": "x = 1\n",
    "after": "x = 2\n",
}
TEXT = """LIMIT = 3


def cut(items, most=LIMIT):
    return list(items)[:most] if most > 0 else []
"""


@pytest.fixture(scope="module")
def parts() -> Iterator[SimpleNamespace]:
    """Return its modules. Its folder is on the path only while they are imported."""
    names = ("cases", "library", "model", "mutants", "mutating", "outcomes")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield SimpleNamespace(**{n: import_module(f"rewrites_parts.{n}") for n in names})


def result(*checks: tuple[str, str, bool], **more: Any) -> dict[str, Any]:
    """Return a result with checks as (name, status, whether conclusive)."""
    made = [{"name": n, "status": status, "conclusive": end} for n, status, end in checks]
    return {"verified": True, "checks": made, **more}


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (result(("parses", "passed", False)), "checked"),
        (result(("parses", "passed", False), ("same", "passed", True)), "proven"),
        (result(("same", "passed", True), ("api", "failed", False)), "unproven"),
        (result(("same", "not_applicable", True)), "checked"),
        (result(("same", "passed", True), verified=False), "unproven"),
        (result(("same", "passed", True), verdict="checked"), "checked"),
        (result(("parses", "passed", False), verdict="proven"), "proven"),
    ],
)
def test_the_verdict_is_the_services_or_read_from_its_checks(
    parts: SimpleNamespace, found: dict[str, Any], verdict: str
) -> None:
    assert parts.outcomes.verdict_of(found) == verdict


def test_the_corpus_can_be_read(parts: SimpleNamespace) -> None:
    cases = parts.cases.read_cases([BENCHMARKS / "rewrites"])
    wrong = [case for case in cases if not case.right]
    assert len(wrong) >= 400
    assert len(cases) - len(wrong) >= 170
    assert all(case.witness for case in cases)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: 1\n", "expected a list"),
        ("- 1\n", "case 1: expected a mapping"),
        ("- {id: a, kind: b}\n", "case 1: add right, transformation, language, before, after"),
        (f"- {CASE}\n- {CASE}\n", "the id 'a' is there twice"),
    ],
)
def test_a_corpus_that_makes_no_sense_is_refused(
    parts: SimpleNamespace, tmp_path: Path, text: str, reason: str
) -> None:
    (tmp_path / "cases.yml").write_text(text.replace("False", "false"))
    with pytest.raises(ValueError, match=reason):
        parts.cases.read_cases([tmp_path])


def test_the_table_counts_by_language_and_verdict(parts: SimpleNamespace) -> None:
    wrong = parts.cases.Case(**CASE)
    right = parts.cases.Case(**{**CASE, "id": "b", "right": True, "target": "javascript"})
    lie = parts.outcomes.Outcome(wrong, "proven", 1.0)
    truth = parts.outcomes.Outcome(right, "proven", 2.0)
    assert [lie.is_wrongly_proven, truth.is_wrongly_proven] == [True, False]
    rows = [line.split() for line in parts.outcomes.table([lie, truth, truth]).splitlines()]
    assert [" ".join(row) for row in rows[1:4]] == [
        "python 1 1 0 0 0 0 0 0 0 0",
        "python to javascript 0 0 0 0 0 2 2 0 0 0",
        "all 1 1 0 0 0 2 2 0 0 0",
    ]
    assert parts.outcomes.percentile([3.0, 1.0, 2.0], 0.95) == 3.0


@pytest.mark.parametrize("code", ["x = 1\n", "'''\n```\n'''\n", "````\n~~~~\n"])
def test_the_model_answers_with_the_whole_code(parts: SimpleNamespace, code: str) -> None:
    reply = CodeReply()
    reply.feed(parts.model.reply(code))
    reply.end()
    assert reply.code == code


def test_mutants_change_one_place_and_are_told_apart(parts: SimpleNamespace) -> None:
    program = parts.library.Program("sample", "cut", TEXT, TEXT.index("def"))
    found = list(parts.mutating.all_mutants(program))
    assert {mutant.operator for mutant in found} == {"comparison", "boundary"}
    assert {mutant.change for mutant in found} == {
        "`most > 0` became `most >= 0`",
        "`0` became `1`",
    }
    cases = parts.mutants.told_apart(program, found, seed=1)
    # No call shows the other one: where `most` is 0, the slice is empty too.
    assert [case.kind for case in cases] == ["boundary"]


def test_a_mutant_has_a_call_that_shows_it(parts: SimpleNamespace) -> None:
    text = "def least(items):\n    if not items:\n        return None\n    return min(items)\n"
    program = parts.library.Program("sample", "least", text, 0)
    found = [m for m in parts.mutating.all_mutants(program) if m.operator == "dropped-not"]
    (case,) = parts.mutants.told_apart(program, found, seed=1)
    assert case.witness[0].startswith("least(")
    assert not case.right
    assert parts.mutants.told_apart(program, found, seed=1) == [case]


def test_programs_of_the_standard_library_stand_alone(parts: SimpleNamespace) -> None:
    found = list(parts.library.programs())
    assert len(found) > 30
    assert all(compile(program.text, program.function, "exec") for program in found)
    assert all(program.text[program.begin :].startswith("def ") for program in found)
