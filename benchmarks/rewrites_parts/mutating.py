"""One small change in the source of a function: what a slip of the pen might be."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from rewrites_parts.library import Program

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.FloorDiv,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True)
class Mutant:
    """A program with one place changed. `text` is the whole file."""

    program: Program
    operator: str
    line: int
    text: str
    change: str


@dataclass(frozen=True)
class _Edit:
    node: ast.AST
    operator: str
    new: str


def all_mutants(program: Program) -> Iterator[Mutant]:
    """Yield the mutants of the program's function that can be compiled, in order of position."""
    function = ast.parse(program.text).body[-1]
    assert isinstance(function, ast.FunctionDef)
    seen = set()
    for edit in _edits(function):
        text, change = _applied(program.text, edit)
        if text not in seen and text != program.text and _compiles(text):
            seen.add(text)
            line = getattr(edit.node, "lineno", 0)
            yield Mutant(program, edit.operator, line, text, change)


def _applied(text: str, edit: _Edit) -> tuple[str, str]:
    """The text with the edit, and words about it."""
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    node = edit.node
    assert isinstance(node, ast.expr | ast.stmt)
    assert node.end_lineno is not None and node.end_col_offset is not None
    begin = starts[node.lineno - 1] + node.col_offset
    end = starts[node.end_lineno - 1] + node.end_col_offset
    raw = text.encode()
    old = raw[begin:end].decode()
    new_text = (raw[:begin] + edit.new.encode() + raw[end:]).decode()
    return new_text, f"`{' '.join(old.split())}` became `{edit.new}`"


def _compiles(text: str) -> bool:
    try:
        compile(text, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _edits(function: ast.FunctionDef) -> Iterator[_Edit]:
    parameters = {argument.arg for argument in function.args.args}
    names = sorted(_stored(function) | parameters)
    docstrings = _texts_alone(function)
    for statement in function.body:
        for node in ast.walk(statement):
            if node in docstrings:
                continue
            if isinstance(node, ast.expr):
                yield from _of_expression(node)
            elif isinstance(node, ast.Return) and isinstance(node.value, ast.Name):
                for name in names:
                    if name != node.value.id:
                        yield _Edit(node, "other-return", f"return {name}")
            elif isinstance(node, ast.stmt):
                yield from _of_statement(node, docstrings)


def _stored(function: ast.FunctionDef) -> set[str]:
    """Names of local variables."""
    return {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _texts_alone(function: ast.FunctionDef) -> set[ast.AST]:
    """Expressions that are statements and do nothing: docstrings."""
    return {
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def _of_statement(node: ast.stmt, docstrings: set[ast.AST]) -> Iterator[_Edit]:
    if isinstance(node, ast.Break):
        yield _Edit(node, "break-continue", "continue")
    elif isinstance(node, ast.Continue):
        yield _Edit(node, "break-continue", "break")
    elif isinstance(node, ast.Raise | ast.AugAssign | ast.Assign) or (
        isinstance(node, ast.Expr) and node.value not in docstrings
    ):
        yield _Edit(node, "removed-statement", "pass")
    if isinstance(node, ast.AugAssign) and type(node.op) in OPERATORS:
        changed = ast.AugAssign(node.target, OPERATORS[type(node.op)](), node.value)
        yield _Edit(node, "operator", ast.unparse(changed))


def _of_expression(node: ast.expr) -> Iterator[_Edit]:
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            ops = [*node.ops[:place], COMPARISONS[type(operator)](), *node.ops[place + 1 :]]
            changed = ast.Compare(node.left, ops, node.comparators)
            yield _Edit(node, "comparison", ast.unparse(changed))
    elif isinstance(node, ast.BoolOp):
        other = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        yield _Edit(node, "and-or", f"({ast.unparse(ast.BoolOp(other, node.values))})")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _Edit(node, "dropped-not", ast.unparse(node.operand))
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        changed_operation = ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
        yield _Edit(node, "operator", f"({ast.unparse(changed_operation)})")
    elif isinstance(node, ast.Constant):
        yield from _of_constant(node)
    elif isinstance(node, ast.Call) and len(node.args) > 1:
        first, second, *rest = node.args
        if not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
            swapped = ast.Call(node.func, [second, first, *rest], node.keywords)
            yield _Edit(node, "swapped-arguments", ast.unparse(swapped))


def _of_constant(node: ast.Constant) -> Iterator[_Edit]:
    value = node.value
    if isinstance(value, bool):
        yield _Edit(node, "constant", repr(not value))
    elif isinstance(value, int):
        yield _Edit(node, "boundary", repr(value + 1))
        if value > 0:
            yield _Edit(node, "boundary", repr(value - 1))
    elif isinstance(value, float):
        yield _Edit(node, "constant", repr(value + 1.0))
    elif isinstance(value, str) and len(value) < 20:
        yield _Edit(node, "constant", repr(value + " "))
