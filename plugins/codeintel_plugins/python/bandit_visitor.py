"""Walking a syntax tree with bandit's tests. Importing this module imports bandit.

Bandit's own manager reads a file and keeps of each place a line, a range of lines and two columns
that need not belong to them. Its visitor, driven here directly, still has the syntax tree's node.
"""

from __future__ import annotations

import ast
import io
import logging
import re
import warnings
from functools import cache
from typing import Any, NamedTuple

from codeintel.contracts import Range
from codeintel_plugins.suppressions import MAX_GATHERED
from codeintel_plugins.toolkit.positions import ToolSource
from codeintel_plugins.toolkit.weaknesses import DROPPED_TESTS

# It loads bandit's formatters, and one of them needs a package that is not needed here.
logging.getLogger("stevedore").setLevel(logging.CRITICAL)
with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # bandit's use of stevedore
    from bandit.core import (  # type: ignore[import-untyped]
        config,
        meta_ast,
        metrics,
        node_visitor,
        test_set,
    )

_SHARED = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
"""Of each there is one in all trees of a process."""
_BIDIRECTIONAL = re.compile("[\u200f\u202a-\u202e\u2066-\u2069]")


class Located(NamedTuple):
    """An issue of bandit, with severity and confidence in our terms. `cwe` is 0 if unknown."""

    test_id: str
    text: str
    severity: str
    confidence: str
    cwe: int
    range: Range


class BanditOutcome:
    """Bandit's findings, and the reason why there are not more."""

    def __init__(self) -> None:
        self.found: list[Located] = []
        self.failed_tests: set[str] = set()
        self.does_not_parse = False
        self.too_deep = False
        self.cut_short = False


class _Enough(Exception):  # noqa: N818 - a signal, not an error
    """The limit of reported findings is reached."""


@cache
def prepare() -> Any:
    """Load bandit's tests once, without those that are dropped."""
    return test_set.BanditTestSet(config.BanditConfig(), {"exclude": sorted(DROPPED_TESTS)})


def inspect(source: ToolSource) -> BanditOutcome:
    """Run the tests over the code."""
    outcome = BanditOutcome()
    visitor = _Visitor(source, outcome)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the code's invalid escapes are not our warnings
            visitor.process(source.for_tools)
    except _Enough:
        outcome.cut_short = True
    except (SyntaxError, ValueError) as error:  # ValueError: null bytes, in older versions
        # The parser's own limits are syntax errors too: "too many nested parentheses".
        outcome.too_deep = "too many" in str(error)
        outcome.does_not_parse = not outcome.too_deep
    except (RecursionError, MemoryError):
        outcome.too_deep = True
    finally:
        visitor.forget()
    return outcome


class _Visitor(node_visitor.BanditNodeVisitor):  # type: ignore[misc]
    def __init__(self, source: ToolSource, outcome: BanditOutcome) -> None:
        # One test reads the bytes: two lines before them hide an encoding comment from it.
        data = io.BytesIO(b"\n\n" + source.for_tools.encode())
        super().__init__(
            "./snippet.py", data, meta_ast.BanditMetaAst(), prepare(), False, {}, metrics.Metrics()
        )
        self._source = source
        self._outcome = outcome
        self._shared: set[ast.AST] = set()
        self.tester.report_error = self._test_failed

    def pre_visit(self, node: ast.AST) -> bool:
        """Skip nodes that only say that a name is read or written. Bandit calls this before each
        node.

        They are a quarter of all nodes, and no test checks them.
        """
        if isinstance(node, _SHARED):
            self._shared.add(node)
        return not isinstance(node, ast.expr_context) and bool(super().pre_visit(node))

    def forget(self) -> None:
        """Remove the parent that bandit notes on nodes that all trees share.

        A copy of another tree would otherwise include this tree, or fail, because it is a chain of
        all nodes.
        """
        for node in self._shared:
            vars(node).clear()

    def update_scores(self, scores: Any) -> None:  # noqa: ARG002 - the scores themselves are not used
        """Take the findings of a node. Bandit calls this after the tests have run on it."""
        for issue in self.tester.results:
            if len(self._outcome.found) == MAX_GATHERED:
                raise _Enough
            self._outcome.found.append(self._located(issue))
        self.tester.results.clear()

    def _test_failed(self, test: str, context: Any, error: Exception) -> None:  # noqa: ARG002 - bandit's
        self._outcome.failed_tests.add(test)

    def _located(self, issue: Any) -> Located:
        node = self.context.get("node")
        return Located(
            test_id=issue.test_id,
            text=issue.text,
            severity={"UNDEFINED": "info"}.get(issue.severity, issue.severity.lower()),
            confidence={"UNDEFINED": "low"}.get(issue.confidence, issue.confidence.lower()),
            cwe=issue.cwe.id,
            range=self._place_in_text() if node is None else self._place_of(node),
        )

    def _place_of(self, node: Any) -> Range:
        """Return the node's range; of a statement with a body only what comes before the body."""
        source, start = self._source, (node.lineno, node.col_offset)
        end = (node.end_lineno, node.end_col_offset)
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and body[0].lineno > node.lineno:
            last = body[0].lineno - 1
            end = (last, len(source.line(last).encode()))
        return source.tool_range(
            (start[0], source.column_of_byte(*start)), (end[0], source.column_of_byte(*end))
        )

    def _place_in_text(self) -> Range:
        """Return the range for the only test of the text itself: characters that reorder it."""
        match = _BIDIRECTIONAL.search(self._source.text)
        return self._source.span(*match.span()) if match else self._source.span(0, 0)
