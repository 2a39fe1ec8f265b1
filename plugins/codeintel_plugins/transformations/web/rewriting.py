"""Modernising, simplifying and speeding up JavaScript and TypeScript."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from codeintel_plugins.transformations.web.engine import Rewriting
from codeintel_plugins.transformations.web.faster import (
    calls as faster,
    loop_limits,
    loops,
    unused as faster_calls,
)
from codeintel_plugins.transformations.web.modern import (
    arrays as modern_arrays,
    calls as modern_calls,
    names as modern_names,
    syntax as modern_syntax,
    text as modern_text,
)
from codeintel_plugins.transformations.web.rules import Rule
from codeintel_plugins.transformations.web.simpler import (
    blocks,
    comparisons,
    expressions as simpler,
    functions,
    shorter,
)


class WebModernize(Rewriting):
    """Newer syntax and library calls."""

    name: ClassVar[str] = "web-modernize"
    kind: ClassVar[str] = "modernize"
    rules: ClassVar[Sequence[Rule]] = (
        modern_names.NO_VAR,
        modern_names.PREFER_CONST,
        modern_text.PREFER_TEMPLATE,
        modern_calls.PREFER_INCLUDES,
        modern_calls.PREFER_EXPONENT,
        modern_calls.PREFER_OBJECT_SPREAD,
        modern_calls.PREFER_HAS_OWN,
        modern_calls.PREFER_AT,
        modern_calls.PREFER_LITERAL,
        modern_syntax.OPTIONAL_CATCH,
        modern_syntax.SHORTHAND,
        modern_syntax.ARROW,
        modern_syntax.USE_STRICT,
        modern_syntax.ASSIGNMENT,
        modern_syntax.NULLISH,
        comparisons.STRICT_EQUALITY,
        comparisons.MISSING,
        comparisons.ASSIGN_MISSING,
        comparisons.NUMBER_CHECKS,
        functions.ARROW_BODY,
        functions.NAMED_ARROW,
        loops.FOR_OF,
        modern_arrays.SPREAD_ARRAY,
        modern_arrays.SPREAD_CALL,
        modern_arrays.SWAP,
        modern_arrays.TYPED_ARRAY,
    )


class WebRefactor(Rewriting):
    """Simplifications."""

    name: ClassVar[str] = "web-refactor"
    kind: ClassVar[str] = "refactor"
    rules: ClassVar[Sequence[Rule]] = (
        simpler.BOOLEAN_TERNARY,
        simpler.DOUBLE_NEGATION,
        simpler.NEGATED,
        simpler.TRUE_OR_FALSE,
        simpler.YODA,
        simpler.DOT,
        simpler.UNDEFINED,
        modern_syntax.SHORTHAND,
        modern_syntax.ASSIGNMENT,
        modern_names.PREFER_CONST,
        blocks.ELSE_RETURN,
        blocks.BOOLEAN_RETURN,
        blocks.NESTED_IF,
        blocks.USELESS_RETURN,
        comparisons.STRICT_EQUALITY,
        comparisons.DEFAULT,
        functions.ARROW_BODY,
        shorter.IMMEDIATE_RETURN,
        shorter.EXTRA_PARENTHESES,
        shorter.INFERRED_TYPES,
        shorter.LONELY_IF,
        loops.FOR_OF,
        modern_arrays.SWAP,
    )


class WebOptimize(Rewriting):
    """What takes less time."""

    name: ClassVar[str] = "web-optimize"
    kind: ClassVar[str] = "optimize"
    rules: ClassVar[Sequence[Rule]] = (
        faster.FIND,
        faster.FLAT_MAP,
        faster.SOME,
        faster.STARTS_WITH,
        modern_calls.PREFER_INCLUDES,
        loop_limits.LOOP_LIMIT,
        faster_calls.REGEXP_TEST,
    )
