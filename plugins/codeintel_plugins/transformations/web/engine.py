"""Applying rules until they have nothing more to do."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import ClassVar

from codeintel.contracts import Change, Equivalence, Rewrite, RewriteRequest, Transformation
from codeintel_plugins.common.positions import ByteOffsets, Source as Positions
from codeintel_plugins.linters.oxlint.process import oxlint_binary
from codeintel_plugins.transformations.web.edits import Text
from codeintel_plugins.transformations.web.linting import fixes as oxlint
from codeintel_plugins.transformations.web.rules import Context, Rule, edits
from codeintel_plugins.transformations.web.trees import MARK, Source

MAX_ROUNDS = 25
_LANGUAGES = frozenset({"javascript", "typescript"})


class Rewriting(Transformation):
    """A transformation by rules of our own, and by oxlint's when ours are done."""

    languages: ClassVar[frozenset[str]] = _LANGUAGES
    equivalence: ClassVar[Equivalence | None] = Equivalence.LOCAL_EDITS
    rules: ClassVar[Sequence[Rule]]
    version = f"1 with oxlint {version('oxlint')}"
    timeout: float = 20.0

    def preload(self) -> None:
        oxlint_binary()

    def programs(self) -> Sequence[str]:
        return (oxlint_binary(),)

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        mark = MARK if request.code.startswith(MARK) else ""
        text = Text(request.code.removeprefix(MARK).encode())
        chosen = [rule for rule in self.rules if rule.id not in request.without]
        for _ in range(MAX_ROUNDS):
            context = Context(Source(text.code.decode(), request.language), request.language)
            groups = [
                edits(rule, pieces) for rule in chosen for pieces in rule.find(context) if pieces
            ] or oxlint.fixes(context, self.kind, request.without)
            if not groups or not text.apply(groups):
                break
        else:
            return Rewrite(code=request.code)  # it must come to an end, and did not
        offsets = ByteOffsets(Positions(request.code))
        changes = tuple(
            Change(rule=made.rule, message=made.message, range=offsets.span(made.start, made.end))
            for made in sorted(text.made)
        )
        return Rewrite(code=mark + text.code.decode(), changes=changes)
