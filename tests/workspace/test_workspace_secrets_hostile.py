"""Texts that make a search for secrets slow, if anything does."""

from __future__ import annotations

import time

import pytest
from secret_texts import TOKENS

from codeintel.contracts.workspaces.selection import secret_rule

_FOR_NAMED_FILES = (
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN ",
    "-----BEGIN A PRIVATE KEY-----" + "A" * 31 + "\n",
    "AKIA",
    "gh",
    "sk-",
    "xox",
    "SG.a",
    "eyJ.",
    "://a:",
    "://" + "a" * 99 + ":",
    "password ",
    "_authToken = ",
    "a:b:c:d",
    "a" * 500 + ":",
    " ",
    "\n",
    "a",
    "-",
    "0:AA",
)
_HOSTILE = (
    *_FOR_NAMED_FILES,
    *(token[: len(token) // 2] for _, token in TOKENS),
    *(token[:-1] + "-" for _, token in TOKENS),
)


@pytest.mark.parametrize("path", ["/a.txt", "/.npmrc", "/.netrc", "/.pgpass"])
def test_hostile_texts_take_linear_time(path: str) -> None:
    for piece in _HOSTILE if path == "/a.txt" else _FOR_NAMED_FILES:
        text = piece * (1024 * 1024 // len(piece))
        before = time.process_time()
        secret_rule(path, text)
        assert time.process_time() - before < 1, repr(piece[:40])
