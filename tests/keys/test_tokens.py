"""The format of API keys."""

from __future__ import annotations

import string

import pytest
from hypothesis import assume, given, strategies as st

from codeintel.base import key_format

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
TOKEN = "ci_live_abcdefghijklmnopqrstuvwxyz01234SOVJD"
# The checksums were computed independently of the code: base62 of the CRC32 of the text before
# them.
VECTORS = (
    "ci_live_00000000000000000000000000000005Z393",
    "ci_live_00000000000000000000000000005900LJWm",
    "ci_live_ZzZzZzZzZzZzZzZzZzZzZzZzZzZzZz3LgbFk",
    TOKEN,
)


@pytest.mark.parametrize("token", VECTORS)
def test_check_vectors(token: str) -> None:
    assert key_format.is_well_formed(token)


def test_made_tokens_are_well_formed_and_differ() -> None:
    made = {key_format.make_token() for _ in range(200)}
    assert len(made) == 200
    for token in made:
        assert key_format.is_well_formed(token)
        assert token.startswith("ci_live_")
        assert len(token) == 8 + 30 + 6
        assert set(token[8:]) <= set(BASE62)
    assert {character for token in made for character in token[8:38]} == set(BASE62)


@given(
    position=st.integers(0, len(TOKEN) - 1),
    character=st.one_of(st.sampled_from(BASE62), st.characters()),
)
def test_any_changed_character_is_refused(position: int, character: str) -> None:
    assume(TOKEN[position] != character)
    assert not key_format.is_well_formed(TOKEN[:position] + character + TOKEN[position + 1 :])


@given(position=st.integers(0, len(TOKEN) - 2))
def test_swapped_neighbours_are_refused(position: int) -> None:
    first, second = TOKEN[position], TOKEN[position + 1]
    assume(first != second)
    assert not key_format.is_well_formed(TOKEN[:position] + second + first + TOKEN[position + 2 :])


@given(st.text())
def test_anything_else_is_refused_without_raising(text: str) -> None:
    assert not key_format.is_well_formed(text)
    assert not key_format.is_well_formed(TOKEN + text + "x")
    assert not key_format.is_well_formed(("ci_live_" + text).ljust(44, "0")[:44])


@pytest.mark.parametrize("token", ["", TOKEN[:-1], TOKEN + "0", " " + TOKEN, TOKEN + "\n"])
def test_other_lengths_are_refused(token: str) -> None:
    assert not key_format.is_well_formed(token)


def test_a_preview_shows_four_characters() -> None:
    assert key_format.preview(TOKEN) == "ci_live_…OVJD"


def test_the_digest_is_an_hmac_under_the_pepper() -> None:
    assert key_format.digest("ci_live_x", b"pepper") == (
        "a85c19b4adf6053c3073639e2ed62c6e0b2b178728a9eb798995d314409d1ceb"
    )
    assert key_format.digest("ci_live_x", b"other") != key_format.digest("ci_live_x", b"pepper")
