"""What evaluating code may do besides giving a value, and who may reach a variable meanwhile."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel_plugins.transformations.structural.facts.declarations import scope_of
from codeintel_plugins.transformations.structural.facts.declared_types import declared_type
from codeintel_plugins.transformations.structural.nodes import function_of, operator
from codeintel_plugins.transformations.structural.reading import Reading

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_ACTS = re.compile(
    r"call|invocation|assign|update|postfix|increment|lambda|closure|func|block|compound|macro"
    r"|await|yield|includ|include|require|print|match|creation|new_|clone|throw|return|comma|delete"
    r"|anonymous|arrow|loop_|while|if_expr|send|statement|_try|try_|backtick|shell|execution"
)
_PLAIN_GO = re.compile(r"(?:len|cap|byte|rune|string|float(?:32|64)|u?int(?:8|16|32|64|ptr)?)\(")


def is_calm(node: SgNode, language: str) -> bool:
    """Whether evaluating it calls, sets and makes nothing."""
    left = [node]
    while left:
        each = left.pop()
        if not each.is_named():
            continue
        kind = str(each.kind())
        if _ACTS.search(kind) and not (language == "go" and _PLAIN_GO.match(each.text())):
            return False
        if "unary" in kind and operator(each) in ("<-", "++", "--"):
            return False
        left.extend(each.children())
    return True


def sets_something(node: SgNode) -> bool:
    """Whether there is an assignment in it."""
    left = [node]
    while left:
        each = left.pop()
        if re.search(r"assign|update|postfix", f"{each.kind()}"):
            return True
        if "unary" in str(each.kind()) and operator(each) in ("++", "--"):
            return True
        left.extend(each.children())
    return False


def is_private(reading: Reading, use: SgNode) -> bool:
    """Whether it is a local variable that nothing but the statements around it can reach: its
    address is not taken, and no function within the function has it."""
    function, name = function_of(use), use.text()
    if use.kind() != "identifier" or function is None or "lambda" in str(function.kind()):
        return False
    whole, place = reading.span(function), reading.span(use).start
    is_local = False
    for node in reading.named.get(name, ()):
        at = reading.span(node).start
        if not whole.start <= at < whole.end:
            continue
        if declared_type(node, reading.language) is not None:
            parent = node.parent()
            while parent is not None and "declarator" in str(parent.kind()):
                if parent.kind() == "reference_declarator":
                    return False
                parent = parent.parent()
            if parent is None or re.search(r"\b(?:static|extern)\b", parent.text()):
                return False
            scope = scope_of(node)
            span = reading.span(scope) if scope is not None else whole
            is_local = is_local or span.start <= place < span.end
    text = function.text()
    if re.search(rf"&\s*{re.escape(name)}\b|\basm\b", text):
        return False
    if reading.language == "go" and function.find(kind="func_literal") is not None:
        return False
    if reading.language == "cpp" and (
        function.find(kind="lambda_expression") is not None
        or any(_is_handed_on(each, whole, reading) for each in reading.named.get(name, ()))
    ):
        return False
    return is_local


def _is_handed_on(use: SgNode, whole: tuple[int, int], reading: Reading) -> bool:
    """Whether a reference to it may be taken: it is passed, or a reference is made of it."""
    parent = use.parent()
    if parent is None or not whole[0] <= reading.span(use).start < whole[1]:
        return False
    if parent.kind() == "init_declarator":
        held = parent.field("declarator")
        return held is not None and held.kind() == "reference_declarator"
    return str(parent.kind()) in ("argument_list", "initializer_list")
