"""From syntax trees to functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Span, span
from codeintel.engine.symbolic.graph import Graph
from codeintel.engine.symbolic.program import Function, Parameter
from codeintel.engine.symbolic.read_statements import StatementReader
from codeintel.engine.symbolic.read_types import base_type, declared
from codeintel.engine.symbolic.syntax import CType, Expr

if TYPE_CHECKING:
    from ast_grep_py import SgNode


class FunctionReader(StatementReader):
    """Reads functions; `functions` and `prototypes` are what it has found."""

    def function(self, node: SgNode, owner: str) -> None:
        """Read a function's definition."""
        body = node.field("body")
        known = declared(node.field("declarator"), base_type(node, self), self)
        if known.function is None or known.name is None:
            return
        words = known.name.text().split("::")
        listed = known.function.field("parameters")
        parameters = tuple(self.parameters(listed))
        self.prototypes[words[-1]] = tuple(each.type for each in parameters)
        if body is None or body.kind() not in ("compound_statement", "try_statement"):
            return
        if body.find(kind="ERROR") is not None:  # what it says is not known
            return
        owner = words[-2].partition("<")[0] if len(words) > 1 else owner
        initialised = []
        self.scopes.append({each.name: each.name for each in parameters})
        for child in node.named_children():
            if child.kind() == "field_initializer_list":
                initialised = list(self._initialisers(child))
        self.scopes.pop()
        static = any(
            child.kind() == "storage_class_specifier" and child.text() == "static"
            for child in node.named_children()
        )
        made = self._read(node, body, words[-1], owner, parameters, known.type)
        made.static = static and not owner
        made.initialised = tuple(initialised)
        self.functions.append(made)

    def lambda_body(self, node: SgNode) -> None:
        body = node.field("body")
        if body is None:
            return
        declarator = node.field("declarator")
        listed = declarator.field("parameters") if declarator is not None else None
        parameters = tuple(self.parameters(listed))
        made = self._read(node, body, "", self._owner, parameters, CType("auto"))
        self.functions.append(made)

    def _read(
        self,
        node: SgNode,
        body: SgNode,
        name: str,
        owner: str,
        parameters: tuple[Parameter, ...],
        result: CType,
    ) -> Function:
        outer = self.graph, self._owner, self._names
        self.graph, self._owner = Graph(), owner
        self._names = {each.name: 1 for each in parameters}
        self.scopes.append({each.name: each.name for each in parameters})
        self.graph.add("join", span(body))
        self.statement(body)
        order, joins = self.graph.finish()
        self.scopes.pop()
        nodes = self.graph.nodes
        self.graph, self._owner, self._names = outer
        return Function(
            span(node), name, owner, parameters, result, False, nodes, 0, span(body), order=order,
            joins=joins,
        )  # fmt: skip

    def _initialisers(self, node: SgNode) -> list[tuple[str, tuple[Expr, ...], Span]]:
        found = []
        for child in node.named_children():
            named = child.named_children()
            if child.kind() == "field_initializer" and len(named) > 1:
                found.append((named[0].text(), self.arguments(named[1]), span(named[0])))
        return found
