"""Parting answers with code into words and the code."""

from __future__ import annotations

import pytest
from codeintel_plugins.openai.transforming import CodeReply
from hypothesis import given, strategies as st

CASES = {
    "plain": ("Simpler.\n\n```python\nx = 1\n```\n", "Simpler.\n\n", "x = 1\n"),
    "no words": ("```\nx = 1\n```", "", "x = 1\n"),
    "words behind it": ("A.\n```\nx\n```\nB.\n", "A.\n", "x\n"),
    "a fence within": (
        "A.\n```py\n'''\n```\ny\n```\n'''\n```\n",
        "A.\n",
        "'''\n```\ny\n```\n'''\n",
    ),
    "a longer fence": ("````md\n```\nx\n```\n````\n", "", "```\nx\n```\n"),
    "tildes": ("~~~js\nx\n~~~\n", "", "x\n"),
    "CRLF": ("A.\r\n```py\r\nx\r\n```\r\n", "A.\r\n", "x\r\n"),
    "indented": ("  ```py\nx\n  ```\n", "", "x\n"),
    "cut": ("A.\n```py\nx = 1\n", "A.\n", None),
    "cut in the fence": ("A.\n``", "A.\n``", None),
    "no block": ("Here is `x` and ``y``, no ```block``` at all.", ..., None),
    "empty": ("", "", None),
    "an empty block": ("```\n```\n", "", ""),
}


def read(answer: str, size: int) -> tuple[str, str | None]:
    reply = CodeReply()
    said = [reply.feed(answer[at : at + size]) for at in range(0, len(answer), size)]
    said.append(reply.end())
    return "".join(said), reply.code


@pytest.mark.parametrize("size", [1, 2, 7, 1_000])
@pytest.mark.parametrize("name", CASES)
def test_answers(name: str, size: int) -> None:
    answer, prose, code = CASES[name]
    assert read(answer, size) == (answer if prose is ... else prose, code)


@given(
    st.text(alphabet="ab \n`~", max_size=60),
    st.lists(st.integers(min_value=1, max_value=9), max_size=60),
)
def test_pieces_make_no_difference(answer: str, sizes: list[int]) -> None:
    reply, said, at = CodeReply(), [], 0
    for size in [*sizes, len(answer) + 1]:
        said.append(reply.feed(answer[at : at + size]))
        at += size
    assert ("".join([*said, reply.end()]), reply.code) == read(answer, len(answer) + 1)
