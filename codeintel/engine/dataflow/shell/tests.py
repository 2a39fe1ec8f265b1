"""Lower the conditions of shell scripts to the form of :mod:`codeintel.engine.dataflow.ir`."""

from __future__ import annotations

import re
from collections.abc import Sequence as Nodes
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.ir import (
    Argument,
    Assignment,
    Block,
    Call,
    Choice,
    Expr,
    Index,
    Join,
    Keyed,
    Literal,
    Member,
    Name,
    Test,
)
from codeintel.engine.dataflow.shell.words import (
    NOWHERE,
    ScriptLowerer,
    command_parts,
    given_values,
    lower_output,
    lower_words,
)
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_GLOB = re.compile(r"[*?\[]")
_REFUSED = re.compile(r"\*\[[!^].{1,60}\]\*|\*\[\^?\[?:?\^?[!^]")
_ANCHORED = re.compile(r"\^(?!\.[*+]).{0,200}\$(?:['\"]|\Z)", re.DOTALL)
_ALLOWED = re.compile(r"[+*@]\(\[[^!^].{0,60}\]\)|\+\(\w+(?:\|\w+)*\)")
_PART = re.compile(
    r"\$\{\w+(?:%|#|:\s*-?\d)"
)  # a part of the value, which says nothing about the rest
_LEADING = re.compile(r"['\"]?-|.*/", re.DOTALL)  # tells where a path or an option starts
_NUMERIC = frozenset(["-eq", "-ne", "-gt", "-ge", "-lt", "-le"])


def lower_condition(lowerer: ScriptLowerer, node: SgNode) -> Expr:
    """Lower a command to the condition that it succeeds."""
    kind = node.kind()
    named = node.named_children()
    if kind == "test_command" and named:
        return _lower_test(lowerer, named[0], tuple(named))
    if kind == "negated_command" and named:
        return Test(span(node), (lower_condition(lowerer, named[0]),), "!")
    if kind == "list" and len(named) == 2:
        parts = (lower_condition(lowerer, named[0]), lower_condition(lowerer, named[1]))
        both = any(child.text().strip() == "&&" for child in node.children())
        return Test(span(node), parts, "&&") if both else Choice(span(node), parts)
    if kind == "variable_assignment" and len(named) > 1:
        return Assignment(span(node), lowerer.expr(named[0]), lowerer.expr(named[1]), False)
    if kind == "redirected_statement" and named:
        given = tuple(w for each in named[1:] for w in lower_words(lowerer, each))
        return _asked(lowerer, named[0], given)
    if kind in ("command", "pipeline"):
        return _asked(lowerer, node, ())
    return Block(span(node), (lowerer.statement(node),))


def _asked(lowerer: ScriptLowerer, node: SgNode, given: tuple[Expr, ...]) -> Expr:
    if node.kind() == "pipeline":
        *before, last = node.named_children()
        for child in before:
            given = (lower_output(lowerer, child, given),)
        return _asked(lowerer, last, given)
    if node.kind() != "command":
        return lower_condition(lowerer, node)
    name, args = command_parts(node)
    if name == "test":
        return _words_test(lowerer, node, args)
    if name in ("grep", "egrep", "fgrep", "expr"):
        return _grep(lowerer, node, args, given)
    if name in ("read", "mapfile", "readarray", "getopts"):
        return Block(span(node), (lowerer.statement(node),))
    found = tuple(Argument(value, None) for value in given_values(lowerer, name, args, given))
    return Call(span(node), Name(NOWHERE, name), found)


def _grep(
    lowerer: ScriptLowerer, node: SgNode, args: list[SgNode], given: tuple[Expr, ...]
) -> Expr:
    """Lower `grep -q`, which tests whether a value matches a pattern, or is in a list."""
    flags = "".join(child.text() for child in args if child.text().startswith("-"))
    texts = [child for child in args if not child.text().startswith("-")]
    values = (*(lowerer.expr(child) for child in texts), *given)
    pattern = texts[0].text() if texts else ""
    whole = "x" in flags or _ANCHORED.search(pattern) is not None
    if whole and "v" not in flags:
        return holds(span(node), "is_match", values)
    return Keyed(span(node), tuple((None, value) for value in values))


def _words_test(lowerer: ScriptLowerer, node: SgNode, args: list[SgNode]) -> Expr:
    if len(args) == 3 and args[1].text() in ("=", "==", "!="):
        parts = (lowerer.expr(args[0]), lowerer.expr(args[2]))
        return Test(span(node), parts, "!=" if args[1].text() == "!=" else "==")
    return Keyed(span(node), tuple((None, lowerer.expr(child)) for child in args))


def _lower_test(lowerer: ScriptLowerer, node: SgNode, among: tuple[SgNode, ...]) -> Expr:
    """Lower the condition between brackets."""
    kind = node.kind()
    named = node.named_children()
    if kind == "parenthesized_expression" and named:
        return _lower_test(lowerer, named[0], ())
    if kind == "unary_expression":
        return _unary(lowerer, node, named)
    if kind == "binary_expression":
        return _binary(lowerer, node)
    if len(among) > 1:
        return Keyed(span(node), tuple((None, lowerer.expr(child)) for child in among))
    return Keyed(span(node), ((None, lowerer.expr(node)),))


def _unary(lowerer: ScriptLowerer, node: SgNode, named: list[SgNode]) -> Expr:
    operator, operand = node.children()[0].text().strip(), named[-1]
    if operator == "!":
        return Test(span(node), (_lower_test(lowerer, operand, ()),), "!")
    value = lowerer.expr(operand)
    if operator == "-v" and isinstance(value, Join):
        return Index(span(node), Literal(NOWHERE, ""), value)
    index = _only(value)
    if isinstance(index, Index):
        return Test(span(node), (index,), "!") if operator == "-z" else index
    return Keyed(span(node), ((None, value),))


def _binary(lowerer: ScriptLowerer, node: SgNode) -> Expr:
    left, operator, *right = node.children()
    sign = operator.text().strip()
    if left.kind() == "unary_expression" and left.text().startswith("!"):  # ! $x =~ y
        inner = left.named_children()[-1]
        return Test(span(node), (_compared(lowerer, span(node), inner, sign, right),), "!")
    if sign in ("&&", "-a", "||", "-o"):
        parts = (_lower_test(lowerer, left, ()), _lower_test(lowerer, right[0], ()))
        return Test(span(node), parts, "&&") if sign in "&&-a" else Choice(span(node), parts)
    first = right[0]
    if first.kind() == "binary_expression" and sign in ("=", "==", "!="):  # a = b -a c
        inner, joint, *rest = first.children()
        one = _compared(lowerer, span(node), left, sign, [inner])
        other = _lower_test(lowerer, rest[0], ())
        both = joint.text() == "-a"
        return Test(span(node), (one, other), "&&") if both else Choice(span(node), (one, other))
    return _compared(lowerer, span(node), left, sign, right)


def _compared(
    lowerer: ScriptLowerer, place: Span, left: SgNode, sign: str, right: Nodes[SgNode]
) -> Expr:
    value = lowerer.expr(left)
    if sign in _NUMERIC:
        others = tuple(lowerer.expr(child) for child in right)
        return holds(place, "is_match", (value, *others))
    if sign == "=~":
        return _matched(lowerer, place, value, right)
    if sign in ("=", "==", "!="):
        found = like(lowerer, place, value, right, left.text())
        return Test(place, (found,), "!") if sign == "!=" else found
    return Keyed(place, ((None, value), *((None, lowerer.expr(child)) for child in right)))


def _matched(lowerer: ScriptLowerer, place: Span, value: Expr, right: Nodes[SgNode]) -> Expr:
    text = "".join(child.text() for child in right).strip()
    others = tuple(lowerer.expr(child) for child in right)
    if _ANCHORED.search(text) or text.startswith(("$", '"$')):
        return holds(place, "is_match", (value, *others))
    if re.fullmatch(r"\(?\[\^.{1,60}\][+*]?\)?", text):
        return Test(place, (holds(place, "all", (value,)),), "!")
    return Keyed(place, ((None, value), *((None, each) for each in others)))


def is_part(text: str) -> bool:
    """Return whether only a part of a value is tested."""
    return _PART.search(text) is not None


def like(
    lowerer: ScriptLowerer, place: Span, value: Expr, pattern: Nodes[SgNode], asked: str = ""
) -> Expr:
    """Lower a match of a value against a glob pattern."""
    text = "".join(child.text() for child in pattern).strip()
    others = tuple(lowerer.expr(child) for child in pattern)
    variables = tuple(each for each in others if not isinstance(each, Literal))
    if is_part(asked):
        return _unguarded(place, value, others)
    if _REFUSED.search(text):
        return Test(place, (holds(place, "all", (value,)),), "!")
    if ".." in text and "*" in text:
        return Call(place, Member(place, value, "contains"), (_literal(".."),))
    if text in ("*/*", '*"/"*', "*'/'*"):
        return Call(place, Member(place, value, "contains"), (_literal("/"),))
    if text.startswith("*") and variables and ("[*]" in asked or "[@]" in asked):
        return Test(place, (Join(place, variables), value), "in")
    if _ALLOWED.fullmatch(text) or (not _GLOB.search(text) and not variables):
        return Test(place, (value, Literal(place, text or "''")), "==")
    if text.endswith("*") and not text.startswith("*") and not re.search(r"[?\[]", text):
        given = tuple(Argument(each, None) for each in others)
        if not variables and not _LEADING.match(text):
            return _unguarded(place, value, others)
        begin = Argument(Literal(place, text.strip("*\"'")), None) if not variables else None
        args = (begin,) if begin is not None else given
        return Call(place, Member(place, value, "startswith"), args)
    if variables and not _GLOB.search(text):
        return Test(place, (value, _only(others[0])), "==")
    return _unguarded(place, value, others)


def _unguarded(place: Span, value: Expr, others: tuple[Expr, ...]) -> Expr:
    return Keyed(place, ((None, value), *((None, each) for each in others)))


def holds(place: Span, what: str, values: tuple[Expr, ...]) -> Expr:
    """Return a question that finds values good if the answer is yes."""
    args = tuple(Argument(each, None) for each in values[1:])
    return Call(place, Member(place, values[0] if values else Literal(place, ""), what), args)


def _literal(text: str) -> Argument:
    return Argument(Literal(NOWHERE, text), None)


def _only(value: Expr) -> Expr:
    while isinstance(value, Join | Choice) and len(value.parts) == 1:
        value = value.parts[0]
    if isinstance(value, Choice) and isinstance(value.parts[0], Index):  # ${MAP[$x]:-}
        return value.parts[0]
    return value
