"""Small changes to a program that change its behavior."""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Callable, Iterator

Mutation = Callable[[ast.AST], bool]

_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


def mutants(code: str, *, every: int = 1) -> Iterator[tuple[str, str]]:
    """Yield every nth of a program's mutants, after the name of the change and the line."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(code)
    nodes = list(ast.walk(tree))
    count = 0
    for place, node in enumerate(nodes):
        for name, mutation in MUTATIONS.items():
            if not mutation(copy.deepcopy(node)):
                continue
            count += 1
            if count % every:
                continue
            changed = copy.deepcopy(tree)
            other = list(ast.walk(changed))[place]
            if mutation(other):
                line = getattr(node, "lineno", 0)
                yield f"{name} {line}", ast.unparse(ast.fix_missing_locations(changed))


def _constant(node: ast.AST) -> bool:
    if not isinstance(node, ast.Constant) or getattr(node, "is_doc", False):
        return False
    if isinstance(node.value, bool):
        node.value = not node.value
    elif isinstance(node.value, int | float):
        node.value += 1
    elif isinstance(node.value, str):
        node.value += "!"
    else:
        return False
    return True


def _operator(node: ast.AST) -> bool:
    if isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign):
        new = _OPERATORS.get(type(node.op))
        if new is None:
            return False
        node.op = new()  # type: ignore[assignment]
        return True
    if isinstance(node, ast.Compare):
        new = _OPERATORS.get(type(node.ops[0]))
        if new is None:
            return False
        node.ops[0] = new()  # type: ignore[call-overload]
        return True
    return False


def _swapped_operands(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Div | ast.Mod | ast.Pow):
        node.left, node.right = node.right, node.left
        return True
    return False


def _swapped_arguments(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or len(node.args) != 2:
        return False
    node.args.reverse()
    return ast.dump(node.args[0]) != ast.dump(node.args[1])


def _dropped_statement(node: ast.AST) -> bool:
    body = getattr(node, "body", None)
    if not isinstance(body, list):
        return False
    for place, each in enumerate(body):
        does = isinstance(each, ast.Assign | ast.AugAssign | ast.Raise | ast.For | ast.If)
        if does or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Call | ast.Yield)):
            body[place] = ast.Pass()
            return True
    return False


def _swapped_statements(node: ast.AST) -> bool:
    body = getattr(node, "body", None)
    if not isinstance(body, list):
        return False
    for place in range(len(body) - 1):
        pair = body[place : place + 2]
        calls = [any(isinstance(n, ast.Call) for n in ast.walk(each)) for each in pair]
        if all(isinstance(each, ast.Expr | ast.Assign) for each in pair) and all(calls):
            body[place : place + 2] = reversed(pair)
            return True
    return False


def _not_awaited(node: ast.AST) -> bool:
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.Await):
            setattr(node, name, value.value)
            return True
    return False


def _default(node: ast.AST) -> bool:
    if isinstance(node, ast.arguments) and node.defaults:
        node.defaults[-1] = ast.Constant("another")
        return True
    return False


def _exception(node: ast.AST) -> bool:
    if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name):
        node.type.id = "LookupError"
        return True
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        node.exc.func = ast.Name("RuntimeError", ast.Load())
        return True
    return False


def _attribute(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        node.attr += "_"
        return True
    return False


def _turned_condition(node: ast.AST) -> bool:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        node.test = ast.UnaryOp(ast.Not(), node.test)
        return True
    return False


def _other_result(node: ast.AST) -> bool:
    if isinstance(node, ast.Return) and node.value is not None:
        node.value = ast.Tuple([node.value], ast.Load())
        return True
    return False


def _other_name(node: ast.AST) -> bool:
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        node.name += "_"
        return True
    if isinstance(node, ast.keyword) and node.arg:
        node.arg += "_"
        return True
    return False


def _undecorated(node: ast.AST) -> bool:
    if getattr(node, "decorator_list", None):
        node.decorator_list.clear()  # type: ignore[attr-defined]
        return True
    return False


MUTATIONS: dict[str, Mutation] = {
    "another constant": _constant,
    "another operator": _operator,
    "swapped operands": _swapped_operands,
    "swapped arguments": _swapped_arguments,
    "a dropped statement": _dropped_statement,
    "swapped statements": _swapped_statements,
    "not awaited": _not_awaited,
    "another default": _default,
    "another exception": _exception,
    "another attribute": _attribute,
    "a turned condition": _turned_condition,
    "another result": _other_result,
    "another name": _other_name,
    "not decorated": _undecorated,
}
