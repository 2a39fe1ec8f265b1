"""From syntax trees to calls, `new`, `delete` and lambdas. Calls of macros that the file defines
are replaced by what the macros stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import span
from codeintel.engine.symbolic.read_definitions import DefinitionReader
from codeintel.engine.symbolic.read_types import named_type
from codeintel.engine.symbolic.reader import WORD
from codeintel.engine.symbolic.syntax import (
    AddressOf,
    Call,
    Cast,
    CType,
    Delete,
    Expr,
    Lambda,
    New,
    Var,
)

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_CASTS = ("static_cast", "reinterpret_cast", "const_cast", "dynamic_cast")


class CallReader(DefinitionReader):
    """Reads calls and what is like them."""

    def type_of(self, node: SgNode) -> CType:
        """The type of a type descriptor."""
        return named_type(node, self)

    def _new(self, node: SgNode) -> Expr:
        type_ = node.field("type")
        if type_ is None:
            return self._several(node)
        made = named_type(type_, self)
        length, declarator = None, node.field("declarator")
        for _ in range(4):  # `new char*[n]`
            if declarator is None:
                break
            if declarator.kind() == "new_declarator":
                length = declarator.field("length")
                break
            made = made._replace(pointers=made.pointers + 1)
            declarator = next(iter(declarator.named_children()), None)
        placement = node.field("placement")
        if placement is not None and "nothrow" not in placement.text():
            return self._several(placement)  # it allocates nothing
        return New(
            self.span(node),
            made,
            self.expr(length) if length is not None else None,
            self.arguments(node.field("arguments")),
            placement is not None,
        )

    def _delete(self, node: SgNode) -> Expr:
        named = node.named_children()
        if not named:
            return self._several(node)
        array = "[" in node.text()[: span(named[-1]).start - span(node).start]
        return Delete(self.span(node), self.expr(named[-1]), array)

    def _lambda(self, node: SgNode) -> Expr:
        self.lambda_body(node)
        names = {self.resolve(name) for name in WORD.findall(node.text())}
        return Lambda(self.span(node), tuple(sorted(names)))

    def _asm(self, node: SgNode) -> Expr:
        """Assembler may set all variables that it names."""
        named = node.find_all(kind="identifier")
        args = tuple(AddressOf(self.span(each), self.expr(each)) for each in named)
        return Call(self.span(node), "asm", None, args)

    # Calls

    def arguments(self, node: SgNode | None) -> tuple[Expr, ...]:
        """The arguments in a list of them."""
        if node is None:
            return ()
        return tuple(
            self.expr(child) for child in node.named_children() if child.kind() != "comment"
        )

    def _call(self, node: SgNode) -> Expr:
        callee, arguments = node.field("function"), node.field("arguments")
        if callee is None:
            return self._several(node)
        kind, text = callee.kind(), callee.text()
        if kind == "identifier":
            expanded = self._expanded(text, arguments)
            if expanded is not None:
                with self.expanding(text, node):
                    return self.expr(expanded)
        args = self.arguments(arguments)
        place = self.span(node)
        if kind == "field_expression":
            whole, name = callee.field("argument"), callee.field("field")
            if whole is not None and name is not None:
                return Call(place, name.text().partition("<")[0], self.expr(whole), args)
        if kind == "primitive_type" and len(args) == 1:
            return Cast(place, named_type(callee, self), args[0])
        head, _, type_ = text.partition("<")
        name_ = head.strip().removeprefix("::").removeprefix("std::")
        if name_ in _CASTS and len(args) == 1:
            listed = callee.field("arguments")
            named = listed.named_children() if listed is not None else []
            made = self.type_of(named[0]) if named else CType("")
            return Cast(place, made, args[0], name_)
        if kind in ("identifier", "qualified_identifier", "template_function"):
            self.calls[name_] = self.calls.get(name_, 0) + 1
            if kind == "identifier" and self.is_local(name_):
                return Call(place, "", Var(place, self.resolve(name_)), args)
            return Call(place, name_, None, args, type_.removesuffix(">"))
        return Call(place, "", self.expr(callee), args)

    def _expanded(self, name: str, arguments: SgNode | None) -> SgNode | None:
        """What a call of a macro stands for, if it is an expression."""
        text = self.expansion(name, arguments)
        if text is None:
            return None
        from ast_grep_py import SgRoot

        root = SgRoot(f"void f(void) {{ x = ({text}); }}", self.language).root()
        found = root.find(kind="assignment_expression")
        right = found.field("right") if found is not None else None
        if right is None or right.kind() != "parenthesized_expression" or root.find(kind="ERROR"):
            return None
        return right
