"""Read the operations of Python functions."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.behaviour_heuristics.operations import (
    MODULE,
    Program,
    Unit,
    equal,
    logic_of,
    plain,
)
from codeintel.engine.equivalence.behaviour_heuristics.python_conditions import (
    PathReader,
    SourceText,
    may_fall,
)
from codeintel.engine.equivalence.behaviour_heuristics.python_vocabulary import text_of
from codeintel.engine.equivalence.behaviour_heuristics.vocabulary import folded, written
from codeintel.engine.equivalence.python_trees import read

_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.MatMult: "@",
}
_Functions = (ast.FunctionDef, ast.AsyncFunctionDef)
_UNREAD = frozenset({"annotation", "returns", "type_params"})
_TRIVIAL = frozenset({"0", "1", "-1", "0.0", "1.0", "True", "False", "None", "''"})
_WAYS = (
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.JoinedStr, ast.With),
    *(
        ast.AsyncWith,
        ast.For,
        ast.Subscript,
        ast.Slice,
        ast.Starred,
        ast.Match,
        ast.IfExp,
        ast.Dict,
        ast.Lambda,
    ),
)
_SWAPPABLE = frozenset({"-", "/", "//", "%", "**", "<<", ">>"})
_Item = tuple[ast.AST, Unit, str]


def python_operations(code: str) -> Program | None:
    """Read a program, or return None if it cannot be parsed."""
    tree = read(code)
    if tree is None:
        return None
    return _Reader(SourceText(code)).read(tree)


class _Reader:
    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._paths = PathReader(source)
        self._sums: dict[int, bool] = {}
        self.program = Program()

    def read(self, tree: ast.Module) -> Program:
        module = self.program.units[MODULE]
        stack: list[_Item] = [(tree, module, "")]
        while stack:
            node, unit, owner = stack.pop()
            if isinstance(node, ast.stmt) and not _is_idle(node):
                self.program.size += 1
            if isinstance(node, ast.ClassDef):
                owner = self._class(node, unit, module, owner)
            elif isinstance(node, _Functions):
                unit = self._function(node, unit, module, owner)
            elif unit is module and isinstance(node, ast.Assign | ast.AnnAssign):
                self._constant(node)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.UnaryOp):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        unit.constants[target.id] = self._source.text(node.value)
            if isinstance(node, ast.expr | ast.stmt | ast.ExceptHandler | ast.match_case):
                self._note(node, unit)
            for name, value in ast.iter_fields(node):
                if name not in _UNREAD:
                    several = value if isinstance(value, list) else [value]
                    stack.extend(
                        (each, unit, owner) for each in several if isinstance(each, ast.AST)
                    )
        module.sequences.clear()  # definitions may be moved
        return self.program

    def _class(self, node: ast.ClassDef, unit: Unit, module: Unit, owner: str) -> str:
        if unit is not module:
            return owner
        self.program.classes[node.name] = node.lineno
        return f"{owner}{node.name}."

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, unit: Unit, module: Unit, owner: str
    ) -> Unit:
        name = f"{owner}{node.name}"
        if unit is module:
            unit = Unit(node.lineno, node.name.startswith("_"))
            while name in self.program.units:  # an overload or a setter
                name += "'"
            self.program.units[name] = unit
            self._paths.read(node.body, unit)
            unit.ways["falls"] += may_fall(node.body)
        several = node.args
        for arguments, defaults in (
            ([*several.posonlyargs, *several.args][::-1], several.defaults[::-1]),
            (several.kwonlyargs, several.kw_defaults),
        ):
            unit.parameters.update(each.arg for each in arguments)
            for argument, default in zip(arguments, defaults, strict=False):
                if default is not None:
                    unit.defaults[argument.arg] = self._source.text(default)
        return unit

    def _constant(self, node: ast.Assign | ast.AnnAssign) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(target, ast.Name):
                self.program.fields.add(target.id)
                if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                    self.program.constants[target.id] = plain(repr(node.value.value))
                elif isinstance(node.value, ast.Constant) or (
                    node.value is not None and folded(node.value) is not None
                ):
                    self.program.constants[target.id] = self._source.text(node.value)

    def _note(self, node: ast.AST, unit: Unit) -> None:
        text = self._source.text
        if isinstance(node, _WAYS):
            unit.ways[type(node).__name__] += 1
        if isinstance(node, ast.Dict):
            unit.ways["Starred"] += node.keys.count(None)
        match node:
            case ast.Name(id=name):
                unit.names.add(name)
                (unit.used if isinstance(node.ctx, ast.Load) else unit.assigned)[name] += 1
            case ast.Attribute(attr=name):
                unit.names.add(name)
            case ast.Compare():
                self._compare(node, unit)
            case ast.BoolOp():
                sign = "and" if isinstance(node.op, ast.And) else "or"
                unit.logic[logic_of(sign, self._source.parts(node))] += 1
            case ast.BinOp(left=left, op=op, right=right):
                if folded(node) is None and not self._is_text(node):
                    self._arithmetic(_SIGNS[type(op)], text(left), text(right), unit)
            case ast.AugAssign(target=target, op=op, value=value):
                said = text_of(value)
                if not (said and said.pieces):
                    self._arithmetic(_SIGNS[type(op)], text(target), text(value), unit)
            case ast.UnaryOp(op=ast.USub() | ast.Invert()) if folded(node) is None:
                unit.arithmetic["-x" if isinstance(node.op, ast.USub) else "~"] += 1
            case ast.Call():
                self._call(node, unit)
            case ast.Subscript(value=value, slice=ast.Slice(lower=low, upper=high)):
                for place, end in (("[:", low), (":]", high)):
                    if end is not None:
                        self._argument(text(value), place, end, unit)
            case ast.Subscript(value=value, slice=index):
                self._argument(text(value), "[]", index, unit)
            case ast.Return(value=value):
                unit.ways["returns" if value is not None else "falls"] += 1
                if value is not None:
                    unit.ways["given"] += 1
                    self._value(value, unit)
            case ast.IfExp(body=one, orelse=other):
                self._value(one, unit)
                self._value(other, unit)
            case ast.Assign(value=value) | ast.AnnAssign(value=value) if value is not None:
                self._value(value, unit)
            case ast.Raise(exc=raised) if raised is not None:
                unit.raised[_last(raised)] += 1
            case ast.Assert():
                unit.raised["AssertionError"] += 1
            case ast.Delete():
                unit.ways["del"] += 1
            case ast.ExceptHandler(type=caught):
                several = caught.elts if isinstance(caught, ast.Tuple) else [caught]
                unit.caught.update(_last(each) if each else "Exception" for each in several)
            case ast.Match(subject=subject):
                for case in node.cases:
                    for each in ast.walk(case.pattern):
                        if isinstance(each, ast.MatchValue):
                            unit.equals[equal(text(subject), text(each.value))] += 1
                        elif isinstance(each, ast.MatchSingleton):
                            unit.equals[equal(text(subject), repr(each.value))] += 1
            case _:
                pass

    def _is_text(self, node: ast.BinOp) -> bool:
        """Return whether a sum joins strings. The answer holds for all sums nested in it."""
        if id(node) not in self._sums:
            said = text_of(node)
            is_text = bool(said and said.pieces)
            inner: ast.expr = node
            while isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Add):
                self._sums[id(inner)] = is_text
                inner = inner.left
            self._sums[id(node)] = is_text
        return self._sums[id(node)]

    def _compare(self, node: ast.Compare, unit: Unit) -> None:
        left = node.left
        for sign, right in zip(node.ops, node.comparators, strict=True):
            operation, _ = self._source.comparison(left, sign, right)
            kinds = {"<": unit.orders, "==": unit.equals, "in": unit.members}
            if operation[0] in kinds:
                kinds[operation[0]][operation] += 1
            left = right
        if len(node.ops) > 1:
            unit.logic[logic_of("and", self._source.chain(node))] += 1

    def _arithmetic(self, sign: str, left: str, right: str, unit: Unit) -> None:
        step = sign in "+-" and (right == "1" or (left == "1" and sign == "+"))
        unit.arithmetic[f"{sign}1" if step else sign] += 1
        if sign in _SWAPPABLE:
            unit.swappable[(sign, left, right)] += 1

    def _value(self, node: ast.expr, unit: Unit) -> None:
        for each in node.elts if isinstance(node, ast.Tuple) else [node]:
            text = self._source.text(each) if isinstance(each, ast.Constant | ast.UnaryOp) else ""
            if text in _TRIVIAL:
                unit.values[text] += 1

    def _call(self, node: ast.Call, unit: Unit) -> None:
        callee = _last(node.func)
        unit.calls[callee] += 1
        if callee == "suppress":
            unit.caught.update(map(_last, node.args))
        owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        several = [self._source.text(each) for each in (*owner, *node.args)]
        if len(several) > 1 and len(several) == len(set(several)):
            unit.swappable[(callee, *several)] += 1
        for place, each in enumerate(node.args):
            self._argument(callee, str(place), each, unit)
        for keyword in node.keywords:
            self._argument(callee, keyword.arg or "**", keyword.value, unit)

    def _argument(self, callee: str, place: str, node: ast.expr, unit: Unit) -> None:
        value = folded(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, bool | None):
            unit.arguments[(callee, place, repr(node.value))] += 1
        elif value is not None:
            unit.arguments[(callee, place, written(value))] += 1


def _last(node: ast.AST) -> str:
    """Return the last name of a called or raised expression, or `?`."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else "?"


def _is_idle(node: ast.stmt) -> bool:
    """Return whether a statement does no work, such as `pass` or an import."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    return isinstance(node, ast.Pass | ast.Import | ast.ImportFrom)
