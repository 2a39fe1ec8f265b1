"""Prose and findings in a model's answer, however it is cut into pieces."""

from __future__ import annotations

from typing import Any

import pytest
from codeintel_plugins.openai import conversation as module
from codeintel_plugins.openai.conversation import Reply
from hypothesis import given, strategies as st

LIST = '{"findings": [{"message": "x"}]}'
CLAIMS = [{"message": "x"}]

# answer, prose, claims, whether the list was cut
ANSWERS: list[tuple[str, str, Any, bool]] = [
    ("", "", None, False),
    ("Just words.", "Just words.", None, False),
    (f"Words.\n```json\n{LIST}\n```", "Words.\n", CLAIMS, False),
    (f"Words.\n```json\n{LIST}\n```\n", "Words.\n", CLAIMS, False),
    (f"Words.\r\n```JSON \r\n{LIST}\r\n```\r\nMore.", "Words.\r\nMore.", CLAIMS, False),
    (f"```\n{LIST}\n```", "", CLAIMS, False),
    (f"  ```json\n{LIST}\n  ```\n", "", CLAIMS, False),
    (f"Words.\n```json\n{LIST}", "Words.\n", CLAIMS, False),
    ('A.\n```json\n{"findings": [{"mess', "A.\n", None, True),
    ('A.\n```json\n{"other": 1', 'A.\n```json\n{"other": 1', None, False),
    ('```json\n{"a": 1}\n```\nB.', '```json\n{"a": 1}\n```\nB.', None, False),
    ("```python\nx = 1\n```\nB.", "```python\nx = 1\n```\nB.", None, False),
    (f"```python\nx\n```\n```json\n{LIST}\n```\n", "```python\nx\n```\n", CLAIMS, False),
    ("`a` and ``b``", "`a` and ``b``", None, False),
    ("a ```json\nb", "a ```json\nb", None, False),
    ("```jsonx\n{}\n", "```jsonx\n{}\n", None, False),
    ("```json", "```json", None, False),
    ("```json\n", "```json\n", None, False),
    ('```json\n{"findings": 1}\n```\n', '```json\n{"findings": 1}\n```\n', None, False),
    (f'```json\n{LIST}\n```\n```json\n{{"findings": []}}\n```\n', "", [], False),
    (f'```json\n{{"findings": []}}\n```\n```json\n{LIST}\n```\n', "", CLAIMS, False),
    ("```json\n" + "[" * 5_000 + "\n```\n", "```json\n" + "[" * 5_000 + "\n```\n", None, False),
    ("a\n    ```json\nb\n", "a\n    ```json\nb\n", None, False),
]


def read(pieces: list[str]) -> tuple[str, Any, bool]:
    reply = Reply()
    said = "".join(reply.feed(piece) for piece in pieces) + reply.end()
    return said, reply.claims, reply.was_cut


@pytest.mark.parametrize(("answer", "prose", "claims", "cut"), ANSWERS)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 10_000])
def test_answers(answer: str, prose: str, claims: Any, cut: bool, size: int) -> None:
    pieces = [answer[at : at + size] for at in range(0, len(answer), size)]
    assert read(pieces) == (prose, claims, cut)


def test_prose_is_passed_on_at_once() -> None:
    reply = Reply()
    assert [reply.feed(piece) for piece in ("Wo", "rds\n", "mo", "re `", "x`")] == [
        "Wo",
        "rds\n",
        "mo",
        "re `",
        "x`",
    ]


def test_a_block_without_an_end_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BLOCK_CHARACTERS", 100)
    reply = Reply()
    said = "".join(reply.feed("```json\n" + "12345\n" * 30 + "tail"))
    assert said.startswith("```json\n12345\n")
    assert said + reply.end() == "```json\n" + "12345\n" * 30 + "tail"


def test_a_line_without_an_end_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BLOCK_CHARACTERS", 100)
    reply = Reply()
    pieces = ["```json\n", *["12345"] * 30, "\n", "```json\n", LIST, "\n```"]
    said = [reply.feed(piece) for piece in pieces]
    assert said[:19] == [""] * 19
    assert said[19].startswith("```json\n12345")
    assert said[20:31] == ["12345"] * 11
    assert "".join(said) + reply.end() == "```json\n" + "12345" * 30 + "\n"
    assert reply.claims == CLAIMS


TEXT = st.text(alphabet="` \n\rjsonJ{}x", max_size=60)


@given(st.lists(TEXT, max_size=8))
def test_pieces_do_not_matter(pieces: list[str]) -> None:
    assert read(pieces) == read(["".join(pieces)])


@given(TEXT)
def test_nothing_is_lost_where_there_is_no_list(text: str) -> None:
    assert read([text])[0] == text
