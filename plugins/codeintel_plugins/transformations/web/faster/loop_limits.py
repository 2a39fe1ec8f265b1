"""What the condition of a loop works out in each turn though it stays the same."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.faster.steady import Steady
from codeintel_plugins.transformations.web.rules import Context, Piece, Rule
from codeintel_plugins.transformations.web.simpler.blocks import indentation
from codeintel_plugins.transformations.web.trees import listed, text

_COMPARISONS = frozenset({"<", "<=", ">", ">=", "!==", "!=", "===", "=="})
_BLOCKS = frozenset({"program", "statement_block"})
_LOOPS = listed("for_statement while_statement")


class _Names:
    """Names for limits that nothing else has; loops next to each other may have the same."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._taken: set[str] = set()

    def of(self, limit: Node, *, alone: bool) -> str | None:
        names = ["limit", "end", "last"]
        if limit.type == "member_expression":
            owner = limit.child_by_field_name("object")
            names = ["length", *names]
            if owner is not None and owner.type == "identifier":
                names.insert(1, f"{text(owner)}Length")
        free = (each for each in names if self._context.is_free(each))
        name = next((each for each in free if alone or each not in self._taken), None)
        if name is not None:
            self._taken.add(name)
        return name


def _loop_limit(context: Context) -> Iterator[list[Piece]]:
    names = _Names(context)
    for node in context.each("for_statement"):
        initializer = node.child_by_field_name("initializer")
        body = node.child_by_field_name("body")
        if initializer is None or body is None or initializer.type != "lexical_declaration":
            continue
        declarators = initializer.named_children
        if text(initializer.children[0]) != "let" or not all(map(_is_plain, declarators)):
            continue
        if context.has_comment(node.start_byte, body.start_byte):
            continue
        limits = _limits(node, context)
        named = [
            (each, names.of(each, alone=len(limits) == 1 and _is_alone(node))) for each in limits
        ]
        if not named or any(name is None for _, name in named):
            continue
        at = declarators[-1].end_byte
        begins = "".join(f", {name} = {text(each)}" for each, name in named)
        yield [
            Piece(at, at, begins),
            *(Piece(each.start_byte, each.end_byte, str(name)) for each, name in named),
        ]
    for node in context.each("while_statement"):
        outer, indent = node.parent, indentation(context, node)
        condition = node.child_by_field_name("condition")
        if outer is None or outer.type not in _BLOCKS or indent is None or condition is None:
            continue
        if context.has_comment(node.start_byte, condition.end_byte):
            continue
        named = [(each, names.of(each, alone=False)) for each in _limits(node, context)]
        if not named or any(name is None for _, name in named) or not _begins(node):
            continue
        end = "\r\n" if b"\r\n" in context.code else "\n"
        lines = "".join(f"const {name} = {text(each)};{end}{indent}" for each, name in named)
        yield [
            Piece(node.start_byte, node.start_byte, lines),
            *(Piece(each.start_byte, each.end_byte, str(name)) for each, name in named),
        ]


def _begins(node: Node) -> bool:
    """Whether a declaration can stand before: `const` is a word of its own, wherever it begins."""
    before = node.prev_sibling
    return before is None or before.type != "comment" or before.end_point.row < node.start_point.row


def _is_plain(declarator: Node) -> bool:
    name = declarator.child_by_field_name("name")
    return name is not None and name.type == "identifier"


def _limits(node: Node, context: Context) -> list[Node]:
    """The sides of comparisons that are the same in each turn."""
    condition = node.child_by_field_name("condition")
    steady = Steady(node, context)
    found: list[Node] = []
    stack = [(condition, True)] if condition is not None else []
    while stack:
        each, always = stack.pop()
        if each.type == "parenthesized_expression":
            stack.extend((inner, always) for inner in reversed(each.named_children))
        elif each.type == "binary_expression" and len(each.children) == 3:
            left, operator, right = each.children
            if text(operator) == "&&":
                stack.extend(((right, False), (left, always)))
            elif text(operator) in _COMPARISONS and steady.is_limit(right, always=always):
                found.append(right)
            elif text(operator) in _COMPARISONS and steady.is_limit(left, always=always):
                found.append(left)
    texts = [text(each) for each in found]
    return found if len(set(texts)) == len(texts) else []


def _is_alone(node: Node) -> bool:
    """Whether no other loop is around or within, whose limit should have another name."""
    stack = list(node.children)
    while stack:
        inner = stack.pop()
        if inner.type in _LOOPS:
            return False
        stack.extend(inner.children)
    outer = node.parent
    while outer is not None:
        if outer.type in _LOOPS:
            return False
        outer = outer.parent
    return True


LOOP_LIMIT = Rule(
    "no-loop-invariant", "The limit is worked out once, not in each turn.", _loop_limit
)
