"""The contract of every language detector."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import ClassVar

import msgspec
import pytest

from codeintel.contracts import Detection, LanguageDetector
from codeintel.contracts.languages import canonical_language
from codeintel.testing.analyzers import HARD_TO_DIGEST

_NAME = re.compile(r"[a-z][a-z0-9_-]*")


class DetectorContract:
    """Subclass this with a detector and code whose language it detects."""

    detector: ClassVar[LanguageDetector]
    samples: ClassVar[Mapping[str, str]]
    """Code by its canonical language."""

    def test_it_has_a_name_a_version_and_a_deadline(self) -> None:
        assert _NAME.fullmatch(self.detector.name)
        assert self.detector.version
        assert 0 < self.detector.timeout <= 10

    def test_preloading_twice_is_harmless(self) -> None:
        self.detector.preload()
        self.detector.preload()

    def test_it_tells_the_languages_of_its_samples(self) -> None:
        assert self.samples
        told = {language: self.detector.detect(code) for language, code in self.samples.items()}
        assert {language: found.language for language, found in told.items()} == {
            language: canonical_language(language) for language in self.samples
        }

    def test_what_it_says_survives_the_way_between_processes(self) -> None:
        for code in self.samples.values():
            told = self.detector.detect(code)
            assert msgspec.msgpack.decode(msgspec.msgpack.encode(told), type=Detection) == told

    def test_it_says_the_same_twice(self) -> None:
        for code in self.samples.values():
            assert self.detector.detect(code) == self.detector.detect(code)

    def test_nothing_is_in_no_language(self) -> None:
        assert self.detector.detect("").language is None

    @pytest.mark.parametrize("code", HARD_TO_DIGEST, ids=range(len(HARD_TO_DIGEST)))
    def test_hard_code_gives_answers_that_are_in_order_and_in_time(self, code: str) -> None:
        self.detector.preload()
        started = time.monotonic()
        told = self.detector.detect(code)
        assert time.monotonic() - started < self.detector.timeout
        assert 0 <= told.confidence <= 1
        assert told.language not in told.alternatives
        names = [told.language or "", *told.alternatives]
        assert names == [canonical_language(name) for name in names]
