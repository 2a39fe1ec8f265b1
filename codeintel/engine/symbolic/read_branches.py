"""From syntax trees to graphs: branches, loops and switches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.symbolic.read_declarations import EMPTY, DeclarationReader
from codeintel.engine.symbolic.read_types import base_type, declared
from codeintel.engine.symbolic.syntax import Expr, Var

if TYPE_CHECKING:
    from ast_grep_py import SgNode


class BranchReader(DeclarationReader):
    """Reads what goes several ways."""

    def statement(self, node: SgNode) -> None:
        """Read a statement."""
        raise NotImplementedError

    def _condition(self, node: SgNode | None) -> Expr | None:
        """A condition; what is declared in it is declared before."""
        if node is None:
            return None
        if node.kind() == "condition_clause":
            for child in node.named_children():
                if child.kind() == "init_statement":
                    for inner in child.named_children():
                        self.statement(inner)
                elif child.kind() == "declaration":
                    self.statement(child)
                    last = self.graph.nodes[-1]
                    return Var(last.span, last.name)
            value = node.field("value")
            return self.expr(value) if value is not None else None
        return self.expr(node)

    def _if(self, node: SgNode) -> None:
        scope: dict[str, str] = {}
        self.scopes.append(scope)
        condition = node.field("condition")
        test = self._condition(condition)
        number = self.graph.add(
            "test", self.span(condition) if condition else self.span(node), test
        )
        then, otherwise = node.field("consequence"), node.field("alternative")
        if then is not None:
            self.statement(then)
        ends = self.graph.loose
        self.graph.loose = [(number, "other")]
        if otherwise is not None:
            for child in otherwise.named_children() or [otherwise]:
                self.statement(child)
        self.graph.loose += ends
        self.scopes.pop()

    def _while(self, node: SgNode) -> None:
        condition, body = node.field("condition"), node.field("body")
        self.scopes.append({})
        with self.graph.loop(self.span(node)) as head:
            test = self._condition(condition)
            number = self.graph.add(
                "test", self.span(condition) if condition else self.span(node), test
            )
            self._round(body, head, number)
        self.scopes.pop()

    def _round(self, body: SgNode | None, head: int, test: int) -> None:
        """The body of a loop, back to its head; behind it goes on where the test was false."""
        if body is not None:
            self.statement(body)
        self.graph.loose += self.graph.continues[-1]
        self.graph.join(head)
        self.graph.loose = [(test, "other")]

    def _do(self, node: SgNode) -> None:
        condition, body = node.field("condition"), node.field("body")
        with self.graph.loop(self.span(node)) as head:
            if body is not None:
                self.statement(body)
            self.graph.loose += self.graph.continues[-1]
            if self.graph.loose:
                place = self.span(condition) if condition else self.span(node)
                test = self._condition(condition)
                number = self.graph.add("test", place, test)
                self.graph.join(head)
                self.graph.loose = [(number, "other")]

    def _for(self, node: SgNode) -> None:
        first, condition = node.field("initializer"), node.field("condition")
        update, body = node.field("update"), node.field("body")
        scope: dict[str, str] = {}
        self.scopes.append(scope)
        if first is not None:
            self.statement(first)
        with self.graph.loop(self.span(node)) as head:
            exits = []
            if condition is not None:
                number = self.graph.add("test", self.span(condition), self.expr(condition))
                exits = [(number, "other")]
            if body is not None:
                self.statement(body)
            self.graph.loose += self.graph.continues[-1]
            if update is not None and self.graph.loose:
                self.graph.add("do", self.span(update), self.expr(update))
            self.graph.join(head)
            self.graph.loose = exits
        self.scopes.pop()
        if scope and self.graph.loose:
            self.graph.add("leave", self.span(node), names=tuple(scope.values()))

    def _range_for(self, node: SgNode) -> None:
        right, body = node.field("right"), node.field("body")
        container = self.expr(right) if right is not None else EMPTY
        self.scopes.append({})
        self.graph.add("do", self.span(node), container)
        with self.graph.loop(self.span(node), container) as head:
            number = self.graph.add("test", self.span(node), None)
            base = base_type(node, self)
            known = declared(node.field("declarator"), base, self)
            if known.name is not None:
                self.declare(
                    known.name.text(), known.type, EMPTY, self.span(known.name), False, False
                )
            else:
                for child in node.find_all(kind="structured_binding_declarator"):
                    self.binding(child)
            self._round(body, head, number)
        self.scopes.pop()

    def _switch(self, node: SgNode) -> None:
        condition, body = node.field("condition"), node.field("body")
        test = self._condition(condition)
        switch = self.graph.add(
            "switch", self.span(condition) if condition else self.span(node), test
        )
        self.graph.loose = []
        self.graph.breaks.append([])
        complete = False
        self.scopes.append({})
        for child in body.named_children() if body is not None else ():
            if child.kind() == "case_statement":
                value = child.field("value")
                inside = [c for c in child.named_children() if c.kind() != "comment"]
                if value is not None:
                    inside = inside[1:]
                else:
                    complete = True
                target = self.graph.add("join", self.span(child))
                found = self.expr(value) if value is not None else None
                self.graph.case(switch, found, target)
                for inner in inside:
                    self.statement(inner)
            else:
                self.statement(child)
        self.scopes.pop()
        exits = self.graph.breaks.pop()
        self.graph.loose += exits
        complete = complete or self._all_values(switch)
        self.graph.nodes[switch].direct = complete
        if not complete:
            self.graph.loose.append((switch, "next"))

    def _all_values(self, switch: int) -> bool:
        """Whether the cases are all values of an enumeration."""
        values = frozenset(
            getattr(value, "value", None) for value, _ in self.graph.nodes[switch].cases
        )
        return values in self.enumerations
