"""Normalize comparisons, and merge adjacent ones of the same value."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import (
    is_pure,
    is_reckoned,
    is_repeatable,
    is_simple,
    is_there,
)
from codeintel.engine.equivalence.normal_form.truth import is_none
from codeintel.engine.equivalence.python_trees import same

_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
}
_TESTED_TYPES = "isinstance"


def compared(node: ast.Compare, context: Context) -> ast.AST | None:
    """Normalize one comparison."""
    if len(node.ops) > 1:
        return _chain(node, context)
    left, operator, right = node.left, node.ops[0], node.comparators[0]
    if isinstance(operator, ast.In | ast.NotIn):
        return _membership(left, operator, right, context)
    if isinstance(operator, ast.Is | ast.IsNot):
        return _identity(left, operator, right, context)
    if isinstance(left, ast.Constant) and not isinstance(right, ast.Constant):
        # Types of the standard library compare the same from either side.
        mirrored = _MIRRORED.get(type(operator))
        if mirrored is not None and context.facts.plain:
            context.took("reversed comparisons")
            return ast.Compare(right, [mirrored()], [left])
    simple = is_reckoned(left, context) and is_reckoned(right, context)
    simple = simple and not isinstance(right, ast.Constant)
    if isinstance(operator, ast.Gt | ast.GtE) and context.facts.plain and simple:
        context.took("reversed comparisons")
        return ast.Compare(right, [_MIRRORED[type(operator)]()], [left])
    if isinstance(operator, ast.Eq | ast.NotEq):
        return _with_none(left, operator, right, context)
    return None


def _chain(node: ast.Compare, context: Context) -> ast.AST | None:
    """Turn `a < b < c` into `a < b and b < c` if `b` may be evaluated twice."""
    middle = node.comparators[:-1]
    if not all(_is_read(each, context) for each in middle):
        return None
    lefts = [node.left, *middle]
    context.took("chained comparisons")
    values: list[ast.expr] = []
    for left, operator, right in zip(lefts, node.ops, node.comparators, strict=True):
        one = ast.Compare(left, [operator], [right])
        values.append(compared(one, context) or one)  # type: ignore[arg-type]
    return _merged_or(ast.BoolOp(ast.And(), values), context)


def _merged_or(node: ast.BoolOp, context: Context) -> ast.AST:
    return merged(node, context) or node


def _is_read(node: ast.expr, context: Context) -> bool:
    """Return whether an expression is a name, an attribute or similar whose reading has no
    effect."""
    return is_simple(node) and is_pure(node, context)


def _membership(
    left: ast.expr, operator: ast.cmpop, right: ast.expr, context: Context
) -> ast.AST | None:
    if isinstance(right, ast.List):
        context.took("membership in a list or tuple")
        return ast.Compare(left, [operator], [ast.Tuple(right.elts, ast.Load())])
    if isinstance(right, ast.Tuple) and len(right.elts) == 1:
        only = right.elts[0]
        if context.facts.plain and _is_solid(only):
            context.took("membership in a single value")
            new = ast.Eq() if isinstance(operator, ast.In) else ast.NotEq()
            return ast.Compare(left, [new], [only])
    match right:
        case ast.Call(func=ast.Attribute(value=value, attr="keys"), args=[], keywords=[]):
            if context.kind(value) == "dict":
                context.took("keys() of a dict")
                return ast.Compare(left, [operator], [value])
    return None


def _is_solid(node: ast.expr) -> bool:
    """Return whether an expression is a constant that equals itself."""
    return isinstance(node, ast.Constant) and not isinstance(node.value, float | complex)


def _identity(
    left: ast.expr, operator: ast.cmpop, right: ast.expr, context: Context
) -> ast.AST | None:
    """Turn `type(x) is type(None)` into `x is None`."""
    match (left, right):
        case (
            ast.Call(func=one, args=[value], keywords=[]),
            ast.Call(func=two, args=[ast.Constant(value=None)], keywords=[]),
        ) if context.is_builtin(one, "type") and context.is_builtin(two, "type"):
            context.took("the type of None")
            return ast.Compare(value, [operator], [ast.Constant(None)])
    return None


def _with_none(
    left: ast.expr, operator: ast.cmpop, right: ast.expr, context: Context
) -> ast.AST | None:
    """Turn `x == None` into `x is None` for values of known kind."""
    is_other = not isinstance(right, ast.Constant) or right.value is not None
    if is_other or not context.facts.plain or not context.kind(left):
        return None
    return is_none(left, operator, context)


def merged(node: ast.BoolOp, context: Context) -> ast.AST | None:
    """Merge adjacent operands of `and` and `or` that ask the same of one value."""
    is_or = isinstance(node.op, ast.Or)
    values: list[ast.expr] = []
    for value in node.values:
        together = _together(values[-1], value, is_or, context) if values else None
        if together is None:
            values.append(value)
        else:
            values[-1] = together
    if len(values) == len(node.values):
        return None
    return values[0] if len(values) == 1 else ast.BoolOp(node.op, values)


def _together(one: ast.expr, two: ast.expr, is_or: bool, context: Context) -> ast.expr | None:
    if isinstance(one, ast.Compare) and isinstance(two, ast.Compare):
        return _equalities(one, two, is_or, context)
    if isinstance(one, ast.Call) and isinstance(two, ast.Call) and is_or:
        return _types(one, two, context) or _affixes(one, two, context)
    return None


def _equalities(
    one: ast.Compare, two: ast.Compare, is_or: bool, context: Context
) -> ast.expr | None:
    """Turn `x == 1 or x == 2` into `x in (1, 2)`, and `x != 1 and x != 2` into `x not in (1,
    2)`."""
    if not context.facts.plain or not same(one.left, two.left):
        return None
    if not is_repeatable(one.left, context):
        return None
    equal: type[ast.cmpop] = ast.Eq if is_or else ast.NotEq
    among: type[ast.cmpop] = ast.In if is_or else ast.NotIn
    elements: list[ast.expr] = []
    for each in (one, two):
        right = each.comparators[0]
        if len(each.ops) == 1 and type(each.ops[0]) is equal:
            elements.append(right)
        elif len(each.ops) == 1 and type(each.ops[0]) is among and isinstance(right, ast.Tuple):
            elements.extend(right.elts)
        else:
            return None
    if not all(_is_solid(element) for element in elements):
        return None
    context.took("equality with one of several values")
    return ast.Compare(one.left, [among()], [ast.Tuple(elements, ast.Load())])


def _types(one: ast.Call, two: ast.Call, context: Context) -> ast.expr | None:
    """Turn `isinstance(x, A) or isinstance(x, B)` into `isinstance(x, (A, B))`, which looks up B
    even if x is an A."""
    for call in (one, two):
        if not context.is_builtin(call.func, _TESTED_TYPES) or call.keywords:
            return None
        if len(call.args) != 2 or not all(_is_read(each, context) for each in call.args[:1]):
            return None
    if not same(one.args[0], two.args[0]):
        return None
    first, more = _elements(one.args[1]), _elements(two.args[1])
    if not all(map(is_simple, first)) or not all(is_there(each, context) for each in more):
        return None
    types = [*first, *more]
    context.took("several types in isinstance()")
    return ast.Call(one.func, [one.args[0], ast.Tuple(types, ast.Load())], [])


def _elements(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _affixes(one: ast.Call, two: ast.Call, context: Context) -> ast.expr | None:
    """Turn `x.startswith("a") or x.startswith("b")` into `x.startswith(("a", "b"))`."""
    for call in (one, two):
        function = call.func
        if not isinstance(function, ast.Attribute) or len(call.args) != 1 or call.keywords:
            return None
        if function.attr not in {"startswith", "endswith"} or not _is_read(function.value, context):
            return None
        if not all(_is_text(each) for each in _elements(call.args[0])):
            return None
    if not isinstance(one.func, ast.Attribute) or context.kind(one.func.value) != "str":
        return None  # other types may not accept a tuple
    if not same(one.func, two.func):
        return None
    context.took("several prefixes or suffixes")
    elements = [*_elements(one.args[0]), *_elements(two.args[0])]
    return ast.Call(one.func, [ast.Tuple(elements, ast.Load())], [])


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
