"""The contract of every transformation."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from codeintel.contracts import (
    CheckStatus,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.levels import compare
from codeintel.testing.analyzers import HARD_TO_DIGEST

_NAME = re.compile(r"[a-z][a-z0-9_-]*")


class TransformationContract:
    """Subclass this with a transformation and code that it changes."""

    transformation: ClassVar[Transformation]
    language: ClassVar[str]
    target: ClassVar[str] = ""
    """The target language, if it is not `language`."""
    samples: ClassVar[Sequence[str]]
    """Code that it changes."""
    options: ClassVar[Mapping[str, Any]] = {}

    @pytest.fixture(autouse=True)
    def _in_an_empty_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Use an empty folder, like a worker process."""
        monkeypatch.chdir(tmp_path)

    def rewrite(self, code: str, without: Sequence[str] = ()) -> Rewrite:
        """Return the proposal of the transformation."""
        return self.transformation.rewrite(
            RewriteRequest(
                code=code,
                language=self.language,
                target=self.target or self.language,
                options=dict(self.options),
                without=tuple(without),
            )
        )

    def test_it_has_a_name_a_version_and_a_deadline(self) -> None:
        assert _NAME.fullmatch(self.transformation.name)
        assert self.transformation.version
        assert 0 < self.transformation.timeout <= 30
        assert self.transformation.supports(self.language, self.target or self.language)

    def test_preloading_twice_is_harmless(self) -> None:
        self.transformation.preload()
        self.transformation.preload()

    def test_it_changes_its_samples_and_says_what(self) -> None:
        assert self.samples
        for code in self.samples:
            found = self.rewrite(code)
            assert found.code != code
            assert found.changes or self.target
            assert msgspec.msgpack.decode(msgspec.msgpack.encode(found), type=Rewrite) == found

    def test_what_it_proposes_passes_the_checks(self) -> None:
        for code in self.samples:
            found = self.rewrite(code)
            comparison = Comparison(
                before=code,
                after=found.code,
                language=self.language,
                target=self.target or self.language,
                changes=found.changes,
                equivalence=self.transformation.equivalence,
            )
            failed = [each for each in compare(comparison) if each.status is CheckStatus.FAILED]
            assert failed == []

    def test_a_second_time_changes_nothing(self) -> None:
        for code in self.samples if not self.target else ():
            assert self.rewrite(self.rewrite(code).code).code == self.rewrite(code).code

    def test_rules_can_be_left_out(self) -> None:
        for code in self.samples:
            rules = {change.rule for change in self.rewrite(code).changes}
            for rule in rules:
                left = self.rewrite(code, without=(rule,))
                assert rule not in {change.rule for change in left.changes}

    @pytest.mark.parametrize("code", HARD_TO_DIGEST, ids=range(len(HARD_TO_DIGEST)))
    def test_hard_code_is_done_or_refused_in_time(self, code: str) -> None:
        self.transformation.preload()
        started = time.monotonic()
        try:
            assert isinstance(self.rewrite(code), Rewrite)
        except Unsupported as refusal:
            assert str(refusal)
        assert time.monotonic() - started < self.transformation.timeout
