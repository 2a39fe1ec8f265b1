"""From syntax trees to what a file defines by name: structures, enumerations, constants."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import span
from codeintel.engine.symbolic.constants import constant_value
from codeintel.engine.symbolic.program import Source
from codeintel.engine.symbolic.read_literals import LiteralReader
from codeintel.engine.symbolic.read_types import record
from codeintel.engine.symbolic.syntax import Binary, Expr, Number, Unary
from codeintel.engine.symbolic.types import Types
from codeintel.engine.symbolic.walk import walk

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_MAX_PARTS = 40


class DefinitionReader(LiteralReader):
    """Reads definitions."""

    def define(self, node: SgNode) -> None:
        """Note the structure, class or enumeration that a node with a body defines."""
        place = span(node)
        if place in self._defined_at:
            return
        self._defined_at.add(place)
        self.deeper()
        if node.kind() == "enum_specifier":
            self._enumeration(node)
        else:
            known = record(node, self)
            self.records[known.name] = known
        self._depth -= 1

    def _enumeration(self, node: SgNode) -> None:
        body = node.field("body")
        value: int | None = -1
        for child in body.named_children() if body is not None else ():
            name, given = child.field("name"), child.field("value")
            if name is None:
                continue
            if given is not None:
                value = constant_value(self.expr(given), self.types())
            else:
                value = value + 1 if value is not None else None
            if value is None:
                self.constants.pop(name.text(), None)
            else:
                self.constants[name.text()] = Number(span(child), value)

    def types(self) -> Types:
        """The types that were read so far."""
        return Types(
            Source({}, self.records, self.typedefs, self.constants, {}, {}, {}, self.language)
        )

    def constant(self, name: str, value: Expr) -> None:
        """Note what a name stands for. What consists of numbers is a number itself; what is long
        is not noted, as it would get longer each time that another name stands for it."""
        parts = list(islice(walk(value), _MAX_PARTS + 1))
        if all(isinstance(part, Number | Unary | Binary) for part in parts):
            number = constant_value(value, self.types())
            if number is not None:
                value, parts = Number(value.span, number), []
        if len(parts) <= _MAX_PARTS:
            self.constants[name] = value
