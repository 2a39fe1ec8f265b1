"""From syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`: calls and their
arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.csharp import OUT, SETS
from codeintel.engine.dataflow.ir import Argument, Call, Expr, Literal, Member, Name
from codeintel.engine.dataflow.lower_containers import ContainerLowerer
from codeintel.engine.dataflow.nodes import child_of, dotted_identifier, field_of, unquoted
from codeintel.engine.dataflow.pages import ECHO
from codeintel.engine.dataflow.rust_macros import macro_arguments
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


class CallLowerer(ContainerLowerer):
    """Lowers calls."""

    def _call(self, node: SgNode, kind: str) -> Expr:
        callee = self._callee(node, kind)
        arguments = field_of(node, "arguments", "argument_list") or child_of(
            node, "arguments", "argument_list", "token_tree"
        )
        args: list[Argument] = []
        if kind == "macro_invocation":
            args = list(macro_arguments(arguments))
        elif kind == "print_intrinsic":
            args = [Argument(part, None) for part in self._parts(node)]
        elif arguments is not None:
            if arguments.kind() in ("arguments", "argument_list"):
                args = [
                    self._argument(child)
                    for child in arguments.named_children()
                    if child.kind() not in kinds.IGNORED
                ]
            else:
                args = [self._argument(arguments)]
        sets = child_of(node, "initializer_expression")
        if sets is not None:
            args.append(Argument(self.expr(sets), SETS))
        block = node.field("block") or child_of(node, "class_body")
        if block is not None and kind != "macro_invocation":
            args.append(Argument(self.expr(block), None))
        return Call(span(node), callee, tuple(args))

    def _callee(self, node: SgNode, kind: str) -> Expr:
        if kind == "print_intrinsic" or node.text().startswith(ECHO):
            return Name(span(node), "print" if kind == "print_intrinsic" else "echo")
        receiver = field_of(node, *kinds.RECEIVER_FIELDS)
        name = field_of(node, "name", "method") if receiver is not None or kind in (
            "method_invocation", "member_call_expression", "call", "method_call", "command_call"
        ) else None  # fmt: skip
        if name is not None:
            if receiver is None:
                return Name(span(name), name.text())
            return Member(
                Span(span(receiver).start, span(name).end), self.expr(receiver), name.text()
            )
        callee = field_of(node, *kinds.CALLEE_FIELDS)
        if callee is None:
            named = [c for c in node.named_children() if c.kind() not in kinds.IGNORED]
            if not named:
                return Name(span(node), "")
            callee = named[0]
        if kind in ("object_creation_expression", "new_expression"):
            text = callee.text().partition("<")[0].strip()
            if re.fullmatch(r"[\w.\\:]+", text):
                return Name(span(callee), f"new {dotted_identifier(text)}")
        if kind == "macro_invocation":
            return Name(span(callee), f"{dotted_identifier(callee.text())}!")
        if callee.kind() in ("generic_function", "generic_name"):
            inner = callee.named_children()
            callee = inner[0] if inner else callee
        return self.expr(callee)

    def _argument(self, node: SgNode) -> Argument:
        kind = node.kind()
        if kind in ("keyword_argument", "named_argument"):
            value = field_of(node, "value") or node.named_children()[-1]
            name = field_of(node, "name")
            return Argument(self.expr(value), name.text() if name is not None else None)
        if kind == "argument":
            name = field_of(node, "name")
            named = node.named_children()
            if not named:
                return Argument(Literal(span(node), node.text()), None)
            if name is None and node.text().startswith("out "):
                return Argument(self.expr(named[-1]), OUT)
            return Argument(self.expr(named[-1]), name.text().rstrip(":") if name else None)
        if kind == "pair":
            key, given = field_of(node, "key"), field_of(node, "value")
            if key is not None and given is not None:
                return Argument(self.expr(given), unquoted(key.text()).strip(":"))
        return Argument(self.expr(node), None)
