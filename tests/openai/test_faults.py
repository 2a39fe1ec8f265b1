"""Faults of an API, and the outcome of the run and of its credits."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import pytest
from fake_models import FakeApi
from model_runs import CODE, FULL, LEAST, LONG_CODE, PRICE, WORDS, Analysis, asked_tokens
from support import MakeApp

SECONDS = 8
"""No analysis takes longer, on a machine that does nothing else."""
ENDLESS = ("silent", "mute", "stalled", "chatty", "limited_for_long", "endless", "huge")


class Row(NamedTuple):
    """A model of the fake API, how the run ends, what it costs, and whether words were sent."""

    model: str
    ending: str
    reason: str | None
    charged: int
    has_words: bool = True


BEFORE = (  # nothing was said yet: the static engine may answer
    ("limited", "upstream_rate_limited"),
    ("limited_for_long", "upstream_rate_limited"),
    ("broken", "upstream_unavailable"),
    ("forbidden", "upstream_refused"),
    ("narrow", "upstream_refused"),
    ("silent", "upstream_timeout"),
    ("mute", "upstream_timeout"),
    ("cut_early", "upstream_unreachable"),
    ("empty", "upstream_truncated"),
    ("web_page", "upstream_malformed"),
)
AFTER = (
    Row("fine", "completed", None, FULL),
    Row("prose", "completed", None, FULL),
    Row("odd", "completed", None, FULL),
    Row("thinking", "completed", None, FULL),
    Row("unstreamed", "completed", None, FULL),
    Row("picky", "completed", None, FULL),
    Row("flaky", "completed", None, FULL),
    Row("stalled", "failed", "upstream_stalled", 0),
    Row("chatty", "failed", "upstream_stalled", 0),
    Row("cut", "failed", "upstream_cut", 0),
    Row("truncated", "failed", "upstream_truncated", 0),
    Row("error_chunk", "failed", "upstream_error", 0),
    Row("malformed", "failed", "upstream_malformed", 0),
    Row("huge", "failed", "upstream_malformed", 0),
    Row("endless", "failed", "upstream_malformed", 0),
    Row("long", "incomplete", "length", LEAST),
    Row("filtered", "incomplete", "content_filter", LEAST),
)


@pytest.mark.parametrize("row", AFTER, ids=[row.model for row in AFTER])
def test_once_it_has_begun(ask: Any, row: Row) -> None:
    found = ask(row.model, {"model": "pro", "code": LONG_CODE})
    assert (found.last["type"], found.last.get("reason")) == (f"run.{row.ending}", row.reason)
    assert (found.last["creditsCharged"], found.charged) == (row.charged, row.charged)
    assert (len(found.text) > 0) is row.has_words
    assert "secret detail" not in str(found.events)
    assert found.events[0]["engine"] == "openai"
    assert sum(each["type"].startswith("run.") for each in found.events) == 2
    if row.ending == "completed":
        assert found.result["engine"] == "openai"
        assert found.result["summary"] == found.text


def test_no_run_harms_the_next(make_app: MakeApp, fake_api: FakeApi) -> None:
    config = {
        "CODEINTEL_AI_BASE_URL": fake_api.url,
        "CODEINTEL_AI_MODEL_PRO": "fine",
        "CODEINTEL_AI_STATIC_EVIDENCE": "false",
        "CODEINTEL_AI_FALLBACK_STATIC": "false",
        "CODEINTEL_AI_RETRIES": "0",
    }
    for row in AFTER:
        if row.model in {"picky", "flaky"}:
            continue
        seconds = "1" if row.reason == "upstream_stalled" else "20"
        times = {"CODEINTEL_AI_TOKEN_TIMEOUT": seconds}
        app = make_app({**config, **times, "CODEINTEL_AI_MODEL_FLASH": row.model})
        assert Analysis(app, model="pro").last["type"] == "run.completed"
        assert Analysis(app).last["type"] == f"run.{row.ending}"
        for _ in range(2):
            assert Analysis(app, model="pro").last["type"] == "run.completed", row.model


@pytest.mark.parametrize("model", ["stalled", "cut", "truncated", "error_chunk", "long"])
def test_what_was_used_before_it_broke_off_is_told(ask: Any, fake_api: FakeApi, model: str) -> None:
    found = ask(model)
    assert found.last["usage"] == {
        "inputCharacters": len(CODE),
        "inputTokens": asked_tokens(fake_api),
        "outputTokens": pytest.approx(len(WORDS) / 4, abs=10),
        "estimated": True,
    }
    assert ask("cut_early").last["usage"] == {"inputCharacters": len(CODE)}


@pytest.mark.parametrize(("model", "reason"), BEFORE)
def test_before_the_first_token_without_a_fallback(ask: Any, model: str, reason: str) -> None:
    found = ask(model, {"model": "pro", "code": LONG_CODE})
    assert (found.last["type"], found.last["reason"]) == ("run.failed", reason)
    assert (found.last["creditsCharged"], found.charged, found.text) == (0, 0, "")
    assert "secret detail" not in str(found.events)
    assert "fallback" not in found.events[0]


@pytest.mark.parametrize("evidence", ["true", "false"])
@pytest.mark.parametrize(("model", "reason"), BEFORE[2:4])
def test_the_static_engine_answers_instead(
    ask: Any, model: str, reason: str, evidence: str
) -> None:
    found = ask(model, FALLBACK_STATIC="true", STATIC_EVIDENCE=evidence)
    assert (found.events[0]["engine"], found.events[0]["fallback"]) == ("openai", "static")
    assert found.result["engine"] == "static"
    assert any("The static engine answers instead." in note for note in found.notes)
    assert found.last["type"] == "run.completed"
    assert found.charged == PRICE
    findings = [each["finding"] for each in found.events if each["type"] == "finding"]
    assert len(findings) == len(found.result["findings"]) > 0
    assert {each["cwe"] for each in findings} >= {"CWE-78"}, reason


def test_nobody_listens(make_app: MakeApp) -> None:
    app = make_app(
        {
            "CODEINTEL_AI_BASE_URL": "http://127.0.0.1:9/v1",
            "CODEINTEL_AI_MODEL_PRO": "any",
            "CODEINTEL_AI_FALLBACK_STATIC": "no",
            "CODEINTEL_AI_RETRIES": "0",
            "CODEINTEL_AI_STATIC_EVIDENCE": "no",
        }
    )
    found = Analysis(app)
    assert (found.last["type"], found.last["reason"]) == ("run.failed", "upstream_unreachable")
    assert (found.charged, found.held, found.text) == (0, 0, "")


@pytest.mark.alone
@pytest.mark.parametrize("model", ENDLESS)
def test_nobody_is_waited_for_for_long(ask: Any, model: str) -> None:
    begin = time.monotonic()
    assert ask(model).last["type"] == "run.failed"
    assert time.monotonic() - begin < SECONDS


@pytest.mark.alone
def test_a_silent_api_is_not_asked_again(ask: Any, fake_api: FakeApi) -> None:
    others = ", ".join([f'{{"base_url": "{fake_api.url}"}}'] * 5)
    begin = time.monotonic()
    ask("mute", RETRIES="0", FALLBACK_STATIC="true")
    alone = time.monotonic() - begin
    before, begin = fake_api.stats()["requests"], time.monotonic()
    found = ask("mute", FALLBACKS=f"[{others}]", RETRIES="10", FALLBACK_STATIC="true")
    # Where the machine needs longer for one that may not be asked again at all, so may this.
    assert time.monotonic() - begin < max(3, 2 * alone)
    assert 2 <= fake_api.stats()["requests"] - before <= 3
    assert (found.result["engine"], found.last["type"]) == ("static", "run.completed")


def test_odd_streams_are_read_right(ask: Any) -> None:
    assert ask("odd").text == "häßlich \U0001f600 end"
