"""The playground's form as it is sent without scripts."""

from __future__ import annotations

import hashlib
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.api.analyze import AnalyzeRequest, Code
from codeintel.api.transform import TransformRequest
from codeintel.base.errors import ServiceError
from codeintel.contracts import Model
from codeintel.contracts.analysis import MAX_LANGUAGE_CHARACTERS, MAX_PROMPT_CHARACTERS
from codeintel.contracts.languages import NAME_PATTERN

ANALYSE = "analyse"

_Language = Annotated[
    str, Meta(min_length=1, max_length=MAX_LANGUAGE_CHARACTERS, pattern=NAME_PATTERN)
]
_FIELDS = {
    "code": "The code",
    "language": "The language",
    "target": "The language to write",
    "words": "The text",
    "task": "What to do",
    "model": "The model",
}
"""What messages call the fields."""
_PATHS = {
    "prompt": "words",
    "instructions": "words",
    "sourceLanguage": "language",
    "targetLanguage": "target",
    "transformation": "task",
}
"""Fields of the form by those of the API."""


class PlaygroundForm(msgspec.Struct, frozen=True):
    """All fields. `words` is the question of an analysis, or instructions for a transformation."""

    code: Code
    task: Annotated[str, Meta(max_length=MAX_LANGUAGE_CHARACTERS)] = ANALYSE
    language: _Language | UnsetType = UNSET
    target: _Language | UnsetType = UNSET
    words: Annotated[str, Meta(max_length=MAX_PROMPT_CHARACTERS)] = ""
    model: Model = Model.FLASH
    number: Annotated[str, Meta(max_length=64)] = ""
    """That of the page that the form stood on."""

    def number_of(self, body: msgspec.Struct) -> str:
        """What makes two requests the same: sent twice from one page, and nothing changed."""
        if not self.number:
            return ""
        return hashlib.sha256(self.number.encode() + msgspec.json.encode(body)).hexdigest()

    @property
    def is_analysis(self) -> bool:
        """Whether it asks for findings, and for no new code."""
        return self.task == ANALYSE

    @property
    def analysis(self) -> AnalyzeRequest:
        """As the API knows it."""
        return AnalyzeRequest(self._code, self.language, self.words, self.model)

    def transformation(self, *, changes_language: bool) -> TransformRequest:
        """As the API knows it. The form has a target for whoever asks for another kind, too."""
        return TransformRequest(
            code=self._code,
            transformation=self.task,
            language=self.language,
            target_language=self.target if changes_language else UNSET,
            instructions=self.words,
            model=self.model,
        )

    @property
    def _code(self) -> str:
        """Forms end lines as HTTP does, whatever was typed."""
        return self.code.replace("\r\n", "\n")


def refused_at(error: ServiceError) -> tuple[str, str]:
    """The field of the form that an error is about, empty for none, and the message for it."""
    path = str(error.details.get("path", ""))
    field = _PATHS.get(path, path)
    if field not in _FIELDS:
        return "", error.message
    return field, error.message.replace(f"`{path}`", _FIELDS[field], 1)
