"""From syntax trees to graphs of statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.read_branches import BranchReader
from codeintel.engine.symbolic.read_declarations import EMPTY
from codeintel.engine.symbolic.read_types import NAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from ast_grep_py import SgNode

_BLOCK_MACRO = re.compile(r"do\b|\{|if\b|;")


class StatementReader(BranchReader):
    """Reads statements."""

    def statement(self, node: SgNode) -> None:
        handler = _STATEMENTS.get(node.kind())
        if handler is not None:
            self.deeper()
            handler(self, node)
            self._depth -= 1
        elif node.kind() not in ("comment", "type_definition", "using_declaration",
                                 "alias_declaration", "static_assert_declaration"):  # fmt: skip
            self.graph.add("do", self.span(node), self.expr(node))

    def _block(self, node: SgNode) -> None:
        scope: dict[str, str] = {}
        self.scopes.append(scope)
        for child in node.named_children():
            self.statement(child)
        self.scopes.pop()
        if scope and self.graph.loose:
            end = self.span(node).end
            place = Span(max(0, end - 1), end)
            self.graph.add("leave", place, names=tuple(scope.values()))

    def _expression(self, node: SgNode) -> None:
        for child in node.named_children():
            if child.kind() == "comment":
                continue
            if child.kind() == "call_expression" and self._macro_block(child):
                continue
            self.graph.add("do", self.span(child), self.expr(child))

    def _macro_block(self, node: SgNode) -> bool:
        """A call of a macro that stands for statements."""
        callee = node.field("function")
        if callee is None or callee.kind() != "identifier":
            return False
        text = self.expansion(callee.text(), node.field("arguments"))
        if text is None or not _BLOCK_MACRO.search(text):
            return False
        from ast_grep_py import SgRoot

        root = SgRoot(f"void f(void) {{ {text}; }}", self.language).root()
        body = root.find(kind="compound_statement")
        if body is None or root.find(kind="ERROR") is not None:
            return False
        with self.expanding(callee.text(), node):
            self._block(body)
        return True

    # Leaving

    def _return(self, node: SgNode) -> None:
        named = [child for child in node.named_children() if child.kind() != "comment"]
        value = self.expr(named[0]) if named else None
        self.graph.add("return", self.span(node), value)
        self.graph.loose = []

    def _break(self, _node: SgNode) -> None:
        self.graph.leave(self.graph.breaks)

    def _continue(self, _node: SgNode) -> None:
        self.graph.leave(self.graph.continues)

    def _goto(self, node: SgNode) -> None:
        label = node.field("label")
        self.graph.goto(label.text() if label is not None else "")

    def _label(self, node: SgNode) -> None:
        label = node.field("label")
        self.graph.label(label.text() if label is not None else "", self.span(node))
        for child in node.named_children():
            if child.kind() != "statement_identifier":
                self.statement(child)

    def _throw(self, node: SgNode) -> None:
        self.graph.add("throw", self.span(node), self._inner(node))
        self.graph.loose = []

    def _try(self, node: SgNode) -> None:
        body = node.field("body")
        with self.graph.attempt(self.span(node)) as number:
            if body is not None:
                self.statement(body)
        ends = self.graph.loose
        for child in node.named_children():
            if child.kind() != "catch_clause":
                continue
            self.graph.loose = []
            self.scopes.append({})
            target = self.graph.add("join", self.span(child))
            self.graph.case(number, None, target)
            for each in self.parameters(child.field("parameters")):
                if each.name:
                    self.declare(each.name, each.type, EMPTY, each.span, False, False)
            handler = child.field("body")
            if handler is not None:
                self.statement(handler)
            self.scopes.pop()
            ends = ends + self.graph.loose
        self.graph.loose = ends

    def _conditionally(self, node: SgNode) -> None:
        """What a preprocessor condition guards may be there or not."""
        self.deeper()
        number = self.graph.add("test", self.span(node), None)
        otherwise = node.field("alternative")
        for child in node.named_children():
            if child.kind() in (*NAMES, "preproc_defined", "number_literal", "binary_expression",
                                "unary_expression", "call_expression"):  # fmt: skip
                continue
            if otherwise is None or self.span(child) != self.span(otherwise):
                self.statement(child)
        ends = self.graph.loose
        self.graph.loose = [(number, "other")]
        if otherwise is not None:
            self._conditionally(otherwise)
        self.graph.loose += ends
        self._depth -= 1

    def _nothing(self, _node: SgNode) -> None:
        pass

    def _defined(self, node: SgNode) -> None:
        if node.field("body") is not None:
            self.define(node)


_STATEMENTS: dict[str, Callable[[StatementReader, SgNode], None]] = {
    "compound_statement": StatementReader._block,
    "expression_statement": StatementReader._expression,
    "declaration": StatementReader.declaration,
    "if_statement": StatementReader._if,
    "while_statement": StatementReader._while,
    "do_statement": StatementReader._do,
    "for_statement": StatementReader._for,
    "for_range_loop": StatementReader._range_for,
    "switch_statement": StatementReader._switch,
    "return_statement": StatementReader._return,
    "break_statement": StatementReader._break,
    "continue_statement": StatementReader._continue,
    "goto_statement": StatementReader._goto,
    "labeled_statement": StatementReader._label,
    "throw_statement": StatementReader._throw,
    "try_statement": StatementReader._try,
    "preproc_ifdef": StatementReader._conditionally,
    "preproc_if": StatementReader._conditionally,
    "preproc_else": StatementReader._conditionally,
    "preproc_elif": StatementReader._conditionally,
    "else_clause": StatementReader._block,
    "function_definition": StatementReader._nothing,
    "preproc_def": StatementReader._nothing,
    "preproc_call": StatementReader._nothing,
    "struct_specifier": StatementReader._defined,
    "class_specifier": StatementReader._defined,
    "enum_specifier": StatementReader._defined,
}
