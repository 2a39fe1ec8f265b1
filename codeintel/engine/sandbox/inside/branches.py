"""Rewrites functions so that each branch they take is noted.

Lines alone would not do: operands that a short circuit leaves out, conditional expressions, the
conditions of comprehensions and loops without a turn are branches, too. A tracer cannot see these,
and Python 3.11 has no `sys.monitoring`, so the syntax tree is instrumented.
"""

from __future__ import annotations

import ast
from typing import Any, TypeVar, cast

from .beyond import is_none_test
from .changes import functions
from .goals import BOUNDARY, BRANCH, EMPTY, LINE, LOOP, OPERATION, Goals
from .sensitive import Operation
from .tables import full_tables, looked_up

NAME = "__probe__"
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_YES_OR_NO = frozenset(
    [
        "any",
        "all",
        "isinstance",
        "issubclass",
        "startswith",
        "endswith",
        "isdigit",
        "isalpha",
        "isalnum",
        "isspace",
        "isupper",
        "islower",
        "isdecimal",
        "isnumeric",
        "isidentifier",
        "issubset",
        "issuperset",
        "isdisjoint",
        "callable",
        "hasattr",
        "is_integer",
        "bool",
    ]
)
_PASSING = frozenset(("enumerate", "zip", "range", "len", "reversed", "sorted", "list", "iter"))
E = TypeVar("E", bound=ast.AST)


def instrumented(
    tree: ast.Module,
    names: frozenset[str],
    goals: Goals,
    operations: frozenset[Operation] = frozenset(),
    *,
    nones: bool = False,
    numbers: bool = False,
) -> ast.Module:
    """The tree, changed in place, with probes in the named functions.

    :param operations: the methods whose use differs; what they are called on is noted.
    :param nones: whether tests for None, and for being empty, must be made of what is empty.
    :param numbers: whether what is divided by a number must be as large as that.
    """
    constant = _constants(tree)
    full = full_tables(tree)
    for name, node in functions(tree).items():
        if name in names:
            never_empty = looked_up(node, full)
            prober = _Prober(name, goals, constant, operations, never_empty if nones else None)
            prober.notes_quotients = numbers
            prober.into(node)
    return ast.fix_missing_locations(tree)


def _constants(tree: ast.Module) -> frozenset[str]:
    """Names of the module that are written like constants: how many they hold does not vary."""
    return frozenset(
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    )


class _Prober(ast.NodeTransformer):
    """Puts probes into one function, with all that is in it."""

    def __init__(
        self,
        function: str,
        goals: Goals,
        constant: frozenset[str],
        operations: frozenset[Operation],
        never_empty: frozenset[str] | None = None,
    ) -> None:
        self._function = function
        self._goals = goals
        self._constant = constant
        self._operations = operations
        self._never_empty = never_empty
        self.notes_quotients = False
        self._parameters: frozenset[str] = frozenset()
        self._equals: set[frozenset[str]] = set()
        """What is compared with `==`: elsewhere it may never be equal."""

    def into(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Put them in; decorators, defaults and annotations stay as they are."""
        given = node.args
        self._parameters = frozenset(
            each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)
        )
        self._equals = {
            _pair(each.left, each.comparators[0])
            for each in ast.walk(node)
            if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.Eq | ast.NotEq)
        }
        node.body = self._block(node.body)

    def _place(self, node: ast.AST, what: str, *ways: str, needed: bool = True) -> ast.Constant:
        line = getattr(node, "lineno", 0)
        number = self._goals.place(self._function, line, what, *ways, needed=needed)
        return ast.Constant(number)

    @staticmethod
    def _call(method: str, node: ast.AST, *values: ast.expr) -> ast.expr:
        probe = ast.Attribute(ast.Name(NAME, ast.Load()), method, ast.Load())
        call = ast.Call(probe, list(values), [])
        for each in ast.walk(call):
            if not hasattr(each, "lineno"):
                ast.copy_location(each, node)
        return call

    # Statements.

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

    # Expressions.

    def _test(self, node: ast.expr) -> ast.expr:
        """A condition, noted as a whole and with each of its operands."""
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
        """An expression whose truth is noted already."""
        inner = self._called(node) if isinstance(node, ast.Call) else self.visit(node)
        return self._emptied(node, cast("ast.expr", inner))

    def _emptied(self, node: ast.expr, inner: ast.expr) -> ast.expr:
        """What is tested for being empty or None, if that has to be told apart."""
        if self._never_empty is None or isinstance(node, ast.Constant | ast.Compare | ast.BoolOp):
            return inner
        if isinstance(node, ast.Name) and node.id in self._never_empty:
            return inner
        return self._call("empty", node, self._place(node, EMPTY, "empty"), inner)

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
        """A slice: where it never holds anything, its bounds do not show."""
        is_slice = isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Load)
        found = self.generic_visit(node)
        if not is_slice:
            return found
        return self._call("some", node, self._place(node, OPERATION, "some"), found)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        by = node.right
        found = self.generic_visit(node)
        if isinstance(node.op, ast.FloorDiv | ast.Mod):
            found.left = self._divided(found.left, by)
        return found

    def _divided(self, node: ast.expr, by: ast.expr) -> ast.expr:
        """What is divided by a number, of which the quotient must not always be zero."""
        is_number = isinstance(by, ast.Constant) and type(by.value) is int and by.value > 1
        is_text = isinstance(node, ast.Constant | ast.JoinedStr)
        if not self.notes_quotients or not is_number or is_text:
            return node
        place = self._place(node, OPERATION, "whole")
        return self._call("divided", node, place, by, node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        place = self._place(node, BRANCH, "true", "false")
        return self._call("truth", node, place, self._compared(node))

    def _compared(self, node: ast.Compare) -> ast.expr:
        is_order = any(isinstance(each, _ORDERS) for each in node.ops)
        if len(node.ops) > 1 or isinstance(node.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn):
            chained = len(node.ops) > 1 and is_order
            if not chained:
                tested = node.left
                found = self.generic_visit(node)
                if is_none_test(node):
                    found.left = self._emptied(tested, found.left)
                if isinstance(node.ops[0], ast.In | ast.NotIn):
                    found.left = self._call("look", node, found.left)
                return cast("ast.expr", found)
            return self._chain(node)
        is_open = is_order and _pair(node.left, node.comparators[0]) not in self._equals
        place = self._place(node, BOUNDARY, *(("equal",) if is_open else ()))
        tested, left = node.left, self.visit(node.left)
        left = self._emptied(tested, left) if is_none_test(node) else left
        node.left = self._call("left", node, place, left)
        other = self.visit(node.comparators[0])
        node.comparators = [self._call("right", node, ast.Constant(place.value), other)]
        return node

    def _chain(self, node: ast.Compare) -> ast.expr:
        """`a < b < c`: an operand is the right side of one comparison and the left of the next."""
        values = [self.visit(each) for each in (node.left, *node.comparators)]
        for index, order in enumerate(node.ops):
            ways = ("equal",) if isinstance(order, _ORDERS) else ()
            place = self._place(node, BOUNDARY, *ways)
            values[index] = self._call("left", node, place, values[index])
            right = ast.Constant(place.value)
            values[index + 1] = self._call("right", node, right, values[index + 1])
        node.left, node.comparators = values[0], values[1:]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = _last(node.func)
        if name in _YES_OR_NO:
            place = self._place(node, BRANCH, "true", "false")
            return self._call("truth", node, place, self._called(node))
        return self._called(node)

    def _called(self, node: ast.Call) -> ast.expr:
        name = _last(node.func)
        sensitive = [each for each in self._operations if each.name == name]
        if not isinstance(node.func, ast.Name):
            node.func = self.visit(node.func)
        for index, each in enumerate(node.args):
            inner = self.visit(each)
            node.args[index] = self._emptied(each, inner) if name == "bool" else inner
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
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
        """What a loop goes through. It must have more than one turn, and none where what it goes
        through is given by the caller."""
        fixed = self._is_fixed(node)
        bare = self._is_given(node)
        values = self.visit(node)
        if fixed:
            return cast("ast.expr", values)
        ways = ("once", "many", "never") if bare else ("once", "many")
        place = self._place(node, LOOP, *ways)
        return self._call("loop", node, place, values)

    def _is_fixed(self, node: ast.expr) -> bool:
        """Whether there are always as many values."""
        if isinstance(node, ast.Constant | ast.Tuple | ast.List | ast.Set | ast.Dict):
            return True
        if isinstance(node, ast.Name):
            return node.id in self._constant
        if isinstance(node, ast.Attribute):
            return self._is_fixed(node.value)
        if isinstance(node, ast.Call):
            name = _last(node.func)
            if isinstance(node.func, ast.Attribute) and name in ("items", "keys", "values"):
                return self._is_fixed(node.func.value)
            return (
                name in _PASSING
                and any(map(self._is_fixed, node.args))
                and (name != "range" or all(map(self._is_fixed, node.args)))
            )
        return isinstance(node, ast.UnaryOp) and self._is_fixed(node.operand)

    def _is_given(self, node: ast.expr) -> bool:
        """Whether a parameter alone decides how many values there are."""
        if isinstance(node, ast.Name):
            return node.id in self._parameters
        if isinstance(node, ast.Call) and node.args:
            name = _last(node.func)
            one = node.args[0]
            if isinstance(node.func, ast.Name) and name in ("enumerate", "reversed", "sorted"):
                return self._is_given(one)
            if name == "range" and len(node.args) == 1:
                inner = isinstance(one, ast.Call) and _last(one.func) == "len"
                return self._is_given(one.args[0] if inner and one.args else one)  # type: ignore[attr-defined]
        return False


def _pair(one: ast.expr, other: ast.expr) -> frozenset[str]:
    return frozenset((ast.dump(one), ast.dump(other)))


def _last(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
