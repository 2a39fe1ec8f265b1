"""What answers used."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from codeintel.contracts import Usage
from codeintel_plugins.openai.answers import Answer

CHARACTERS_PER_TOKEN = 4
"""Of English and of code, about: for counts that the API does not give."""


def usage_of(answer: Answer, characters: int, asked: int) -> Usage:
    """What the API counted; else what can be told from the characters: those of the whole
    conversation, `asked`, and of the answer.

    :param characters: of the code.
    """
    counted = answer.usage
    if (
        counted is not None
        and counted.prompt_tokens is not None
        and counted.completion_tokens is not None
    ):
        return Usage(
            input_characters=characters,
            input_tokens=max(0, counted.prompt_tokens),
            output_tokens=max(0, counted.completion_tokens),
        )
    return Usage(
        input_characters=characters,
        input_tokens=-(-asked // CHARACTERS_PER_TOKEN),
        output_tokens=-(-answer.characters // CHARACTERS_PER_TOKEN),
        estimated=True,
    )


def total(characters: int, usages: Sequence[Usage]) -> Usage:
    """What several answers about one piece of code used together."""
    return Usage(
        input_characters=characters,
        input_tokens=sum(_known(each.input_tokens) for each in usages),
        output_tokens=sum(_known(each.output_tokens) for each in usages),
        estimated=any(each.estimated for each in usages),
    )


def _known(count: int | UnsetType) -> int:
    return 0 if count is UNSET else count
