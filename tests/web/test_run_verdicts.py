"""The verdict on new code on a run's page."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from codeintel.contracts import RunKind, TransformationResult, VerdictOutcome
from codeintel.contracts.states import RunState
from codeintel.runs.store import RunRecord
from codeintel.web.runs import result_view

RESULT = TransformationResult(
    transformation="refactor",
    source_language="python",
    language="python",
    engine="openai",
    code="x = 1\n",
    changed=True,
    verified=False,
    diff="",
    changes=(),
    losses=(),
    checks=(),
    unchecked=(),
)


def said(result: TransformationResult) -> str:
    view = result_view(
        RunRecord(
            id="run_1",
            account_id="acc_1",
            kind=RunKind.TRANSFORM,
            state=RunState.COMPLETED,
            engine="openai",
            model="flash",
            epoch=1,
            price=2,
            hold=2,
            charged=2,
            reason=None,
            usage=None,
            created_ms=1,
            finished_ms=2,
            result=msgspec.json.encode(result).decode(),
        )
    )
    assert view is not None
    return view.verdict


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (VerdictOutcome.PROVEN, "Proven: the new code behaves like the original."),
        (VerdictOutcome.CHECKED, "Checked, not proven:"),
        (VerdictOutcome.UNPROVEN, "Unproven:"),
        (UNSET, "See the checks"),
    ],
)
def test_the_verdict(verdict: VerdictOutcome | UnsetType, words: str) -> None:
    changed = msgspec.structs.replace(RESULT, verdict=verdict)
    assert words in said(changed)
    # What an earlier version has kept as verified is not called proven.
    assert said(msgspec.structs.replace(changed, verified=True)) == said(changed)


def test_nothing_changed() -> None:
    assert "The code is unchanged" in said(msgspec.structs.replace(RESULT, changed=False))
