"""A run's events about a model's answer: findings, words and tokens."""

from __future__ import annotations

from typing import Any

import pytest
from fake_models import FakeApi
from model_runs import CODE, WORDS, asked_tokens

from codeintel.runs.context import LoggedContext


def test_findings_are_moved_to_where_their_quotation_stands(ask: Any) -> None:
    [finding] = ask("fine").result["findings"]
    assert (finding["engine"], finding["ruleId"], finding["cwe"]) == (
        "openai",
        "model-command",
        "CWE-78",
    )
    assert finding["range"] == {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 20}
    assert "unverified" not in finding
    assert finding["confidence"] == "medium"


@pytest.mark.parametrize("model", ["fine", "unstreamed"])
def test_what_the_api_has_counted_is_told(ask: Any, model: str) -> None:
    counted = {"inputTokens": 11, "outputTokens": 7}
    assert ask(model).last["usage"] == {"inputCharacters": len(CODE), **counted}


def test_what_it_has_not_counted_is_estimated(ask: Any, fake_api: FakeApi) -> None:
    used = ask("prose").last["usage"]
    assert used == {
        "inputCharacters": len(CODE),
        "inputTokens": asked_tokens(fake_api),
        "outputTokens": -(-len(WORDS) // 4),
        "estimated": True,
    }


def test_others_go_on_while_claims_are_checked(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[object] = []
    monkeypatch.setattr(LoggedContext, "pause", lambda context: pauses.append(context))
    ask("fine")
    assert pauses


def test_without_a_list_of_findings(ask: Any) -> None:
    found = ask("prose")
    assert found.result["findings"] == []
    assert found.result["summary"] == WORDS
    assert "The model sent no list of findings." in found.notes
