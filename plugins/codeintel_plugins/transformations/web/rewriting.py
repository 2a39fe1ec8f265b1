"""Modernizing, simplifying and speeding up JavaScript and TypeScript."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import ClassVar

from codeintel.contracts import Change, Equivalence, Rewrite, RewriteRequest, Transformation
from codeintel_plugins.linters.oxlint.process import oxlint_binary
from codeintel_plugins.toolkit.positions import ByteOffsets, ToolSource as Positions
from codeintel_plugins.transformations.web import oxlint
from codeintel_plugins.transformations.web.rules import (
    Context,
    Rule,
    arrays,
    blocks,
    edits,
    expressions,
    faster,
    loop_limits,
    loops,
    names,
    newer,
    shorter,
    syntax,
)
from codeintel_plugins.transformations.web.trees import MARK, Text, WebSource

MAX_ROUNDS = 25


class Rewriting(Transformation):
    """A transformation by the project's rules, followed by oxlint's."""

    languages: ClassVar[frozenset[str]] = frozenset({"javascript", "typescript"})
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
            context = Context(WebSource(text.code.decode(), request.language), request.language)
            groups = [
                edits(rule, pieces) for rule in chosen for pieces in rule.find(context) if pieces
            ] or oxlint.fixes(context, self.kind, request.without)
            if not groups or not text.apply(groups):
                break
        else:
            return Rewrite(code=request.code)  # the rounds must end, and did not
        offsets = ByteOffsets(Positions(request.code))
        changes = tuple(
            Change(rule=made.rule, message=made.message, range=offsets.span(made.start, made.end))
            for made in sorted(text.made)
        )
        return Rewrite(code=mark + text.code.decode(), changes=changes)


class WebModernize(Rewriting):
    """Newer syntax and library calls."""

    name: ClassVar[str] = "web-modernize"
    kind: ClassVar[str] = "modernize"
    rules: ClassVar[Sequence[Rule]] = (
        names.NO_VAR,
        names.PREFER_CONST,
        newer.PREFER_TEMPLATE,
        newer.PREFER_INCLUDES,
        newer.PREFER_EXPONENT,
        newer.PREFER_OBJECT_SPREAD,
        newer.PREFER_HAS_OWN,
        newer.PREFER_AT,
        newer.PREFER_LITERAL,
        syntax.OPTIONAL_CATCH,
        syntax.SHORTHAND,
        syntax.ARROW,
        syntax.USE_STRICT,
        syntax.ASSIGNMENT,
        syntax.NULLISH,
        expressions.STRICT_EQUALITY,
        expressions.MISSING,
        expressions.ASSIGN_MISSING,
        expressions.NUMBER_CHECKS,
        shorter.ARROW_BODY,
        shorter.NAMED_ARROW,
        loops.FOR_OF,
        arrays.SPREAD_ARRAY,
        arrays.SPREAD_CALL,
        arrays.SWAP,
        arrays.TYPED_ARRAY,
    )


class WebRefactor(Rewriting):
    """Simplifications."""

    name: ClassVar[str] = "web-refactor"
    kind: ClassVar[str] = "refactor"
    rules: ClassVar[Sequence[Rule]] = (
        expressions.BOOLEAN_TERNARY,
        expressions.DOUBLE_NEGATION,
        expressions.NEGATED,
        expressions.TRUE_OR_FALSE,
        expressions.YODA,
        expressions.DOT,
        expressions.UNDEFINED,
        syntax.SHORTHAND,
        syntax.ASSIGNMENT,
        names.PREFER_CONST,
        blocks.ELSE_RETURN,
        blocks.BOOLEAN_RETURN,
        blocks.NESTED_IF,
        blocks.USELESS_RETURN,
        expressions.STRICT_EQUALITY,
        expressions.DEFAULT,
        shorter.ARROW_BODY,
        shorter.IMMEDIATE_RETURN,
        shorter.EXTRA_PARENTHESES,
        shorter.INFERRED_TYPES,
        shorter.LONELY_IF,
        loops.FOR_OF,
        arrays.SWAP,
    )


class WebOptimize(Rewriting):
    """Make JavaScript and TypeScript faster."""

    name: ClassVar[str] = "web-optimize"
    kind: ClassVar[str] = "optimize"
    rules: ClassVar[Sequence[Rule]] = (
        faster.FIND,
        faster.FLAT_MAP,
        faster.SOME,
        faster.STARTS_WITH,
        newer.PREFER_INCLUDES,
        loop_limits.LOOP_LIMIT,
        faster.REGEXP_TEST,
    )
