"""Detect languages. See `weigh` for the method."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

from codeintel.contracts import Detection, LanguageDetector
from codeintel.engine.detection import NO_CODE

if TYPE_CHECKING:
    from codeintel.engine.detection.weigh import Weighed, Weigher


LANGUAGES = """
    ada asm awk bash batch c clojure cmake commonlisp cpp crystal csharp css d dart diff
    dockerfile elixir elm erlang fish fortran fsharp go graphql groovy haskell html ini java
    javascript json julia kotlin latex less lua make markdown matlab nim nix objc ocaml pascal
    perl php powershell prolog properties protobuf python r racket rst ruby rust scala scheme
    scss solidity sql svelte swift tcl terraform toml typescript vb verilog vhdl vim vue xml
    yaml zig
"""
# How scores become confidence, measured with benchmarks/language_detection.py.
_TEMPERATURE = 2.0
_SAYS_LITTLE = 1.5
_LINE = 40
_MOST_CHARACTERS = 8_000
_MOST = 0.99
_ALTERNATIVES = 3


class GrammarDetector(LanguageDetector):
    """Examines a sample of limited size, and ignores file names."""

    name: ClassVar[str] = "grammars"
    preference: ClassVar[int] = 0
    languages: ClassVar[frozenset[str] | None] = frozenset(LANGUAGES.split())
    version = "1"
    timeout = 3.0

    def __init__(self) -> None:
        self._loaded: Weigher | None = None

    def preload(self) -> None:
        self._weigher().load()

    def detect(self, code: str) -> Detection:
        weighed = self._weigher().weigh(code)
        if not weighed or weighed[0].language == NO_CODE or weighed[0].score <= 0:
            return Detection(language=None, confidence=0.0)
        others = [other.language for other in weighed[1:] if other.language != NO_CODE]
        return Detection(
            language=weighed[0].language,
            confidence=_confidence(weighed, len(code)),
            alternatives=tuple(others[:_ALTERNATIVES]),
        )

    def _weigher(self) -> Weigher:
        if self._loaded is None:
            from codeintel.engine.detection.weigh import Weigher

            self._loaded = Weigher()
        return self._loaded


def _confidence(weighed: list[Weighed], size: int) -> float:
    """Return a confidence from 0 to 1.

    It is lower if another language comes close, if there is little evidence, and if the grammar
    does not understand everything. `size` is the length of the code in characters.
    """
    best = weighed[0]
    share = 1 / sum(math.exp((each.score - best.score) / _TEMPERATURE) for each in weighed)
    expected = max(_SAYS_LITTLE, 0.8 * math.sqrt(min(size, _MOST_CHARACTERS) / _LINE))
    enough = 1 - math.exp(-best.score / expected)
    understood = 1 - (best.errors or 0) / 2
    return round(min(_MOST, share * enough * understood), 3)
