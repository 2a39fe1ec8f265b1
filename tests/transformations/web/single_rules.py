"""One rule on a piece of code, until it has nothing more to do."""

from __future__ import annotations

from codeintel_plugins.transformations.web.rules import Context, Rule, edits
from codeintel_plugins.transformations.web.trees import Text, WebSource

_ROUNDS = 10


def applied(rule: Rule, code: str, language: str = "typescript") -> str:
    """Return the code as the rule leaves it."""
    text = Text(code.encode())
    for _ in range(_ROUNDS):
        context = Context(WebSource(text.code.decode(), language), language)
        groups = [edits(rule, pieces) for pieces in rule.find(context) if pieces]
        if not groups or not text.apply(groups):
            return text.code.decode()
    raise AssertionError("The rule does not come to an end.")
