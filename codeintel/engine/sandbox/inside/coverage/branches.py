"""Instrument functions so that each branch they take is recorded.

Lines are not enough. Operands that a short circuit skips, conditional expressions, conditions of
comprehensions, and loops without an iteration are branches, too. A tracer cannot see these, and
Python 3.11 has no `sys.monitoring`, so the syntax tree is instrumented.
"""

from __future__ import annotations

import ast
from typing import Any, TypeVar, cast

from .changes import functions, last_name
from .comparisons import (
    Comparisons,
    Whole,
    held_numbers,
    is_choice,
    whole_attributes,
)
from .differences import NOTHING, Differences, filled
from .goals import (
    BRANCH,
    FILLED,
    LENGTH,
    LINE,
    LOOP,
    OPERATION,
    Goals,
)
from .unreachable import (
    Loops,
    constants,
    full_dictionaries,
    full_tables,
    looked_up,
)

_YES_OR_NO = frozenset(
    [
        *("any", "all", "bool", "isinstance", "issubclass", "callable", "hasattr", "is_integer"),
        *("startswith", "endswith", "isdigit", "isalpha", "isalnum", "isspace", "isupper"),
        *("islower", "isdecimal", "isnumeric", "isidentifier", "issubset", "issuperset"),
        "isdisjoint",
    ]
)
E = TypeVar("E", bound=ast.AST)


def instrumented(
    tree: ast.Module, names: frozenset[str], goals: Goals, what: Differences = NOTHING
) -> ast.Module:
    """Put probes into the named functions, and return the tree, which is changed in place.

    :param what: the differences from the other program, which calls must meet.
    """
    constant = constants(tree)
    full = full_tables(tree)
    attributes = whole_attributes(tree)
    for name, node in functions(tree).items():
        if name not in names:
            continue
        is_new = name in what.rewritten
        own = attributes.get(name.partition(".")[0], frozenset())
        prober = _Prober(
            name,
            node,
            goals,
            never_empty=looked_up(node, full) if what.nones else None,
            missing=looked_up(node, full_dictionaries(node)),
            whole=Whole(node, own) if what.fractions and is_new else None,
            members=what.members and is_new,
            held=held_numbers(node) if what.numbers and is_new else {},
        )
        prober.fill(node, Loops(node, constant), what)
    return ast.fix_missing_locations(tree)


class _Prober(Comparisons, ast.NodeTransformer):
    """Puts probes into one function."""

    def fill(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, loops: Loops, what: Differences
    ) -> None:
        """Insert the probes. Decorators, defaults and annotations stay unchanged."""
        self._loops = loops
        self._what = what
        node.body = self._block(node.body)

    # Instrument statements.

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for node in body:
            if isinstance(node, ast.Global | ast.Nonlocal | ast.Pass | ast.Break | ast.Continue):
                is_declaration = isinstance(node, ast.Global | ast.Nonlocal)
                found += [node] if is_declaration else [self._noted(node), node]
                continue
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                found.append(node)
                continue
            found.append(self._noted(node))
            if isinstance(node, ast.While):
                found += self._while(node)
            else:
                found.append(self.visit(node))
        return found

    def _noted(self, node: ast.stmt) -> ast.stmt:
        hit = self._call("hit", node, self._place(node, LINE, "run"))
        return ast.copy_location(ast.Expr(hit), node)

    def generic_visit(self, node: E) -> E:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, field, self._block(block))
                continue
        for field, old in ast.iter_fields(node):
            if isinstance(old, list):
                if old and isinstance(old[0], ast.stmt):
                    continue
                old[:] = [self.visit(e) if isinstance(e, ast.AST) else e for e in old]
            elif isinstance(old, ast.AST):
                setattr(node, field, self.visit(old))
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = self._block(node.body)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.body = self._block(node.body)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        node.test = self._test(node.test)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        return node

    def _while(self, node: ast.While) -> list[ast.stmt]:
        if isinstance(node.test, ast.Constant):
            node.body, node.orelse = self._block(node.body), self._block(node.orelse)
            return [node]
        place = self._place(node, LOOP, "once", "many", "never", needed=False)
        enter = ast.copy_location(ast.Expr(self._call("enter", node, place)), node)
        test = self._test(node.test)
        node.test = self._call("turn", node, ast.Constant(place.value), test)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        return [enter, node]

    def visit_For(self, node: ast.For) -> ast.AST:
        node.iter = self._values(node.iter)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.test = self._test(node.test)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is not None:
            value = self.visit(node.value)
            if not isinstance(value, ast.Constant | ast.Name):
                value = self._call("value", node, self._place(node, LINE, "run"), value)
            node.value = value
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        if node.guard is not None:
            node.guard = self._test(node.guard)
        node.body = self._block(node.body)
        return node

    # Instrument expressions.

    def _test(self, node: ast.expr) -> ast.expr:
        """Instrument a condition as a whole and each of its operands."""
        if isinstance(node, ast.Constant):
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self._test(node.operand)
            return node
        if isinstance(node, ast.BoolOp):
            node.values = [self._test(each) for each in node.values]
            return node
        inner = self._compared(node) if isinstance(node, ast.Compare) else self._plain(node)
        return self._call("test", node, self._place(node, BRANCH, "true", "false"), inner)

    def _plain(self, node: ast.expr) -> ast.expr:
        """Instrument an expression whose truth is already recorded."""
        inner = self._called(node) if isinstance(node, ast.Call) else self.visit(node)
        return self._emptied(node, cast("ast.expr", inner))

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self._test(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        first, last = node.values[:-1], node.values[-1]
        noted = []
        for each in first:
            place = self._place(each, BRANCH, "true", "false")
            inner = self._compared(each) if isinstance(each, ast.Compare) else self._plain(each)
            noted.append(self._call("truth", each, place, inner))
        node.values = [*noted, self.visit(last)]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.op, ast.Not):
            node.operand = self._test(node.operand)
            return node
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Instrument a slice. If it is always empty, its bounds make no difference."""
        is_slice = isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Load)
        found = self.generic_visit(node)
        if not is_slice:
            return found
        return self._call("some", node, self._place(node, OPERATION, "some"), found)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Instrument a lambda expression like a nested function: its body must have run."""
        found = self.generic_visit(node)
        found.body = self._call("value", node, self._place(node, LINE, "run"), found.body)
        return found

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        by = node.right
        found = self.generic_visit(node)
        if isinstance(node.op, ast.FloorDiv | ast.Mod):
            found.left = self._divided(found.left, by)
        return found

    def _divided(self, node: ast.expr, by: ast.expr) -> ast.expr:
        """Instrument a dividend. The quotient must not always be zero."""
        is_number = isinstance(by, ast.Constant) and type(by.value) is int and by.value > 1
        is_text = isinstance(node, ast.Constant | ast.JoinedStr)
        if not self._what.numbers or not is_number or is_text:
            return node
        place = self._place(node, OPERATION, "whole")
        return self._call("divided", node, place, by, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = last_name(node.func)
        if self._whole is not None and is_choice(node):
            self._chosen(node)
            return node
        if name in _YES_OR_NO:
            place = self._place(node, BRANCH, "true", "false")
            return self._call("truth", node, place, self._called(node))
        return self._called(node)

    def _called(self, node: ast.Call) -> ast.expr:
        name = last_name(node.func)
        sensitive = [each for each in self._what.operations if each.name == name]
        if not isinstance(node.func, ast.Name):
            node.func = self.visit(node.func)
        for index, each in enumerate(node.args):
            inner = self.visit(each)
            node.args[index] = self._emptied(each, inner) if name == "bool" else inner
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        if name == "zip_longest" and self._what.lengths:
            node.args = [self._side_by_side(node)]
        if name == "divmod" and len(node.args) == 2:
            node.args[0] = self._divided(node.args[0], node.args[1])
        if name in ("get", "pop", "setdefault") and node.args and not sensitive:
            is_starred = isinstance(node.args[0], ast.Starred)
            node.args[0] = node.args[0] if is_starred else self._call("look", node, node.args[0])
        for operation in sensitive:
            place = self._place(node, OPERATION, *operation.features)
            if isinstance(node.func, ast.Attribute) and not operation.on_argument:
                node.func.value = self._call("seen", node, place, node.func.value)
            elif node.args and not isinstance(node.args[0], ast.Starred):
                node.args[0] = self._call("seen", node, place, node.args[0])
        return node

    def _side_by_side(self, node: ast.Call) -> ast.expr:
        """Instrument `zip_longest(a, b)`. Each side must have been the shorter one."""
        place = self._place(node, LENGTH, *FILLED)
        pair = self._call("pair", node, place, *node.args, filled(node))
        return ast.copy_location(ast.Starred(pair, ast.Load()), node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        return self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self._comprehension(node)

    def _comprehension(self, node: Any) -> ast.AST:
        for each in node.generators:
            each.iter = self.visit(each.iter) if each.is_async else self._values(each.iter)
            each.ifs = [self._test(test) for test in each.ifs]
        for field in ("elt", "key", "value"):
            if hasattr(node, field):
                setattr(node, field, self.visit(getattr(node, field)))
        return cast("ast.AST", node)

    def _values(self, node: ast.expr) -> ast.expr:
        """Instrument the iterable of a loop."""
        ways = self._loops.turns(node)
        values = cast("ast.expr", self.visit(node))
        if not ways:
            return values
        return self._call("loop", node, self._place(node, LOOP, *ways), values)
