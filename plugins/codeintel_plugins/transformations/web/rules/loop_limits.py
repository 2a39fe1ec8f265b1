"""Expressions in the condition of a loop that are computed in each iteration without changing."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.rules import Context, Piece, Rule, arguments, method_of
from codeintel_plugins.transformations.web.rules.blocks import indentation
from codeintel_plugins.transformations.web.rules.loops import counted, is_steady
from codeintel_plugins.transformations.web.scopes import Binding
from codeintel_plugins.transformations.web.trees import child_of, listed, text
from codeintel_plugins.transformations.web.type_inference import (
    ARRAY,
    NOTHING,
    NUMBER,
    STRING,
)

_MATH = listed("sqrt floor ceil round trunc min max abs pow log2 log10 cbrt")
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "**"})
_COMPARISONS = frozenset({"<", "<=", ">", ">=", "!==", "!=", "===", "=="})
_BLOCKS = frozenset({"program", "statement_block"})
_LOOPS = listed("for_statement while_statement")


class Steady:
    """The values that stay the same in one loop."""

    def __init__(self, loop: Node, context: Context) -> None:
        self._loop = loop
        self._context = context
        self._may_fail = False
        body = loop.child_by_field_name("body")
        parts = [loop.child_by_field_name("condition"), loop.child_by_field_name("increment"), body]
        self._parts = [each for each in parts if each is not None]

    def is_limit(self, node: Node, *, always: bool) -> bool:
        """Return whether the node is computed, and always to the same value.

        :param always: whether the first iteration always computes it, so that it may fail.
        """
        self._may_fail = always
        return _takes_time(node) and self._is(node, node)

    def _is(self, node: Node, limit: Node) -> bool:
        kind = node.type
        if kind == "number":
            return not text(node).endswith("n")
        if kind == "identifier":
            binding = self._context.scopes.binding(node)
            known = self._context.types.of(node) == NUMBER
            return binding is not None and known and is_steady(binding, self._loop)
        if kind == "parenthesized_expression":
            return all(self._is(each, limit) for each in node.named_children)
        if kind == "binary_expression":
            plain = len(node.children) == 3 and text(node.children[1]) in _ARITHMETIC
            return plain and all(self._is(each, limit) for each in node.named_children)
        if kind == "call_expression":
            found, given = method_of(node), arguments(node)
            if found is None or given is None or found[1] not in _MATH:
                return False
            is_math = self._context.scopes.is_global(found[0], "Math")
            return is_math and all(self._is(each, limit) for each in given)
        return kind == "member_expression" and self._is_length(node, limit)

    def _is_length(self, node: Node, limit: Node) -> bool:
        object_ = node.child_by_field_name("object")
        if object_ is None or child_of(node, "optional_chain") is not None:
            return False
        if text(node.child_by_field_name("property")) != "length":
            return False
        of = self._context.types.of(object_)
        if object_.type == "identifier":
            binding = self._context.scopes.binding(object_)
            if binding is None or not is_steady(binding, self._loop):
                return False
            if not self._may_fail and not self._is_taken_for_granted(binding):
                return False
            return of == STRING or (
                of == ARRAY
                and self._context.effects.keep(self._parts, binding, self._index(node, limit))
            )
        return of is not None and self._may_fail and self._is_row(object_, of - NOTHING == STRING)

    def _is_taken_for_granted(self, binding: Binding) -> bool:
        """Return whether the condition does not check first that the value exists."""
        condition = self._parts[0]
        return all(
            use.node.parent is not None
            and use.node.parent.type in ("member_expression", "subscript_expression")
            and use.node.parent.children[0] == use.node
            and use.node.parent.children[1].type != "optional_chain"
            for use in binding.uses
            if condition.start_byte <= use.node.start_byte < condition.end_byte
        )

    def _is_row(self, row: Node, is_text: bool) -> bool:
        """Return whether `rows[index]` stays the same, and keeps its length."""
        rows, index = row.child_by_field_name("object"), row.child_by_field_name("index")
        if row.type != "subscript_expression" or rows is None or index is None:
            return False
        binding = self._context.scopes.binding(rows) if rows.type == "identifier" else None
        if binding is None or not is_steady(binding, self._loop):
            return False
        if index.type != "number" and not self._is(index, index):
            return False
        if self._context.types.of(rows) != ARRAY or not self._context.effects.keep(
            self._parts, binding
        ):
            return False
        if is_text:
            return True
        of = self._context.types.of(row)
        return of is not None and of - NOTHING == ARRAY and _is_only_read(binding)

    def _index(self, length: Node, limit: Node) -> Node | None:
        """Return the index if it stays below the length, so that its element exists."""
        loop = counted(self._loop, self._context) if self._loop.type == "for_statement" else None
        below = loop is not None and loop.limit == length == limit and loop.operator == "<"
        return loop.counter.declared[0] if loop is not None and below else None


def _is_only_read(rows: Binding) -> bool:
    """Return whether a parameter's rows are only the passed ones, without any created here."""
    if rows.kind != "parameter" or rows.writes:
        return False
    for use in rows.uses:
        outer = use.node.parent
        if outer is None or outer.children[0] != use.node:
            return False
        if outer.type == "member_expression":
            if text(outer.child_by_field_name("property")) != "length":
                return False
        elif outer.type != "subscript_expression":
            return False
        above = outer.parent
        if above is None or (
            above.type.endswith(("assignment_expression", "pattern")) and above.children[0] == outer
        ):
            return False
    return True


def _takes_time(node: Node) -> bool:
    if node.type in ("member_expression", "call_expression"):
        return True
    return any(map(_takes_time, node.named_children))


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
    """Return whether a declaration can precede the node. `const` is a separate word in any
    position."""
    before = node.prev_sibling
    return before is None or before.type != "comment" or before.end_point.row < node.start_point.row


def _is_plain(declarator: Node) -> bool:
    name = declarator.child_by_field_name("name")
    return name is not None and name.type == "identifier"


def _limits(node: Node, context: Context) -> list[Node]:
    """Return the sides of comparisons that are the same in each iteration."""
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
    """Return whether no other loop is around or within, whose limit would need another name."""
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


LOOP_LIMIT = Rule("no-loop-invariant", "Compute the loop limit only once.", _loop_limit)
