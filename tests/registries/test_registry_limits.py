"""Each registry's other answers: their meaning, and their pauses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st
from registry_bodies import PLACES, answer, document, source

from codeintel.contracts.search import retry_after

RESET = 1_787_300_461
NOW = RESET - 61.0

MEANT: dict[str, list[tuple[int, bool, float | None]]] = {
    "github": [
        (403, True, 60),
        (403, True, 61),
        (422, False, None),
        (422, False, None),
        (422, False, None),
        (401, False, None),
    ],
    "npm": [(400, False, None), (429, True, 60), (200, False, None)],
    "docker": [(429, True, 37), (429, True, None), (400, False, None), (200, False, None)],
    "gitlab": [(429, True, 60), (401, False, None), (400, False, None), (200, False, None)],
    "gitea": [(422, False, None), (401, False, None), (500, False, None), (200, False, None)],
    "crates": [(403, False, None), (400, False, None), (429, True, 10), (200, False, None)],
    "huggingface": [(429, True, 55), (401, False, None), (400, False, None), (200, False, None)],
}
"""Status, whether it is the limit, and the pause, of each entry in its order."""


@pytest.mark.parametrize("kind", PLACES)
def test_each_answer_is_understood(kind: str) -> None:
    registry, understood = source(kind), []
    for entry in document(f"{kind}.errors"):
        came = answer(entry["body"], entry["status"], entry["headers"])
        understood.append((came.status, registry.is_limit(came), registry.pause(came, NOW)))
        if came.status == 200:
            assert list(registry.hits(came)) == []
    assert understood == MEANT[kind]


LEFT = {"x-ratelimit-remaining": "9", "ratelimit-remaining": "9"}
NONE_LEFT = dict.fromkeys(LEFT, "0")
LATER = {"x-ratelimit-reset": str(RESET), "ratelimit-reset": str(RESET)}
SOON = {"retry-after": "7"}


@pytest.mark.parametrize(
    ("kind", "status", "headers", "is_limit", "pause"),
    [
        ("github", 429, {}, True, None),
        ("github", 429, {**LATER, **LEFT}, True, None),
        ("github", 403, {}, False, None),
        ("github", 403, {**LATER, **LEFT}, False, None),
        ("github", 403, {**LATER, **NONE_LEFT}, True, 61),
        ("github", 403, {**LATER, **NONE_LEFT, **SOON}, True, 7),
        ("github", 403, {**NONE_LEFT, "x-ratelimit-reset": "soon"}, True, None),
        ("github", 403, {**NONE_LEFT, "x-ratelimit-reset": "\N{SUPERSCRIPT TWO}"}, True, None),
        ("github", 200, {**LATER, **NONE_LEFT}, False, 61),
        ("docker", 429, {"x-retry-after": str(RESET)}, True, 61),
        ("docker", 429, {"x-retry-after": "12"}, True, 0),
        ("docker", 429, {"x-retry-after": "9" * 20}, True, None),
        ("docker", 429, {"x-retry-after": str(RESET), **SOON}, True, 7),
        ("docker", 429, {"x-retry-after": str(RESET), "retry-after": "soon"}, True, 61),
        ("docker", 403, SOON, False, 7),
        ("gitlab", 429, {**LATER, **NONE_LEFT}, True, 61),
        ("gitlab", 500, {**LATER, **LEFT}, False, None),
        ("gitlab", 429, {**NONE_LEFT, "ratelimit-reset": "9" * 400}, True, None),
        ("huggingface", 429, {"ratelimit": '"api";r=0;t=55', **SOON}, True, 7),
        ("huggingface", 429, {"ratelimit": '"a";r=3;t=9, "b";r=0; t=20'}, True, 20),
        ("huggingface", 500, {"ratelimit": '"api";r=499;t=200'}, False, None),
        ("huggingface", 429, {"ratelimit": '"api";r=0;t=' + "9" * 20}, True, None),
        ("npm", 503, SOON, False, 7),
        ("gitea", 429, {}, True, None),
        ("crates", 429, {}, True, None),
    ],
)
def test_headers_of_their_own(
    kind: str, status: int, headers: dict[str, str], is_limit: bool, pause: float | None
) -> None:
    came = answer("", status, headers)
    assert source(kind).is_limit(came) is is_limit
    assert source(kind).pause(came, NOW) == pause


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("-5", 0),
        ("", None),
        ("soon", None),
        ("9" * 400, None),
        ("9" * 5_000, None),
        ("Tue, 18 Aug 2026 09:00:00 GMT", 100),
        ("Tuesday, 18-Aug-26 09:00:00 GMT", 100),
        ("Tue Aug 18 09:00:00 2026", 100),
        ("Tue, 18 Aug 2026 11:00:00 +0200", 100),
        ("Tue, 18 Aug 2026 08:00:00 GMT", 0),
        ("Tue, 18 Aug 2026 09:00:00 +9900", None),
        ("18 Aug 99999999999999999999 09:00:00 GMT", None),
    ],
)
def test_retry_after(text: str, seconds: float | None) -> None:
    assert retry_after(text, 1_787_043_500) == seconds


@given(st.text() | st.text("0123456789 :,+-JanMonGT", max_size=40), st.floats(0, 2e9))
def test_retry_after_takes_anything(text: str, now: float) -> None:
    found: Any = retry_after(text, now)
    assert found is None or found >= 0
