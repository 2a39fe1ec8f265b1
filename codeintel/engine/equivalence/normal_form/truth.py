"""Normalize conditions whose truth alone matters, and choices between two values."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context, is_handed_on
from codeintel.engine.equivalence.normal_form.purity import is_repeatable, is_simple
from codeintel.engine.equivalence.python_trees import same

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.In: ast.NotIn, ast.Is: ast.IsNot}
_OPPOSITE_IF_PLAIN: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Eq: ast.NotEq}
_ALWAYS_BOOL = (ast.In, ast.NotIn, ast.Is, ast.IsNot)


def is_bool(node: ast.expr, context: Context) -> bool:
    """Return whether an expression always yields True or False."""
    match node:
        case ast.Constant(value=bool()) | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=operators):
            return context.facts.plain or (
                len(operators) == 1 and isinstance(operators[0], _ALWAYS_BOOL)
            )
        case ast.BoolOp(values=values):
            return all(is_bool(value, context) for value in values)
        case ast.Call(func=function):
            return context.is_builtin(
                function, "isinstance", "issubclass", "bool", "callable", "any", "all", "hasattr"
            )
    return False


def is_constant(node: ast.expr, value: object) -> bool:
    """Return whether an expression is this constant."""
    return isinstance(node, ast.Constant) and node.value is value


def truth(node: ast.expr, context: Context) -> ast.expr:
    """Simplify an expression whose truth alone matters."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not(), operand=inner)):
            context.took("double negations")
            return truth(inner, context)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return again_not(truth(operand, context), context)
        case ast.BoolOp(op=operator, values=values):
            return ast.BoolOp(operator, [truth(value, context) for value in values])
        case ast.Call(func=function, args=[only], keywords=[]) if context.is_builtin(
            function, "bool"
        ) and not isinstance(only, ast.Starred):
            context.took("conditions converted to bool")
            return truth(only, context)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            if is_constant(body, True) and is_constant(orelse, False):
                return truth(test, context)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as equal], comparators=[right]):
            if is_constant(right, None) and context.facts.plain:
                return is_none(left, equal, context)
    return node


def is_none(left: ast.expr, equal: ast.cmpop, context: Context) -> ast.expr:
    """Return `x is None` for `x == None`.

    Arrays compare item by item, but then their truth cannot be tested.
    """
    context.took("comparisons with None")
    identical = ast.Is() if isinstance(equal, ast.Eq) else ast.IsNot()
    return ast.Compare(left, [identical], [ast.Constant(None)])


def again_not(operand: ast.expr, context: Context) -> ast.expr:
    """Negate an expression in normal form."""
    node = ast.UnaryOp(ast.Not(), operand)
    new = negated(node, context)
    return new if isinstance(new, ast.expr) else node


def opposite(condition: ast.expr, context: Context) -> ast.expr:
    """Negate a condition whose truth alone matters."""
    return truth(again_not(condition, context), context)


def negated(node: ast.UnaryOp, context: Context) -> ast.AST | None:
    """Turn `not a in b` into `a not in b`."""
    if not isinstance(node.op, ast.Not):
        return None
    operand = truth(node.operand, context)
    match operand:
        case ast.Compare(left=left, ops=[operator], comparators=comparators):
            opposites = dict(_OPPOSITE)
            opposites.update({after: before for before, after in _OPPOSITE.items()})
            if context.facts.plain:
                opposites.update(_OPPOSITE_IF_PLAIN)
                opposites[ast.NotEq] = ast.Eq
            opposite = opposites.get(type(operator))
            if opposite is not None and is_handed_on(node) and _may_be_column(operand):
                return None
            if opposite is not None:
                context.took("negated comparisons")
                return ast.Compare(left, [opposite()], comparators)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            context.took("double negations")
            return inner if _is_bool_here(inner, node, context) else _bool(inner, context)
        case ast.Constant(value=bool(value)):
            return ast.Constant(not value)
        case ast.BoolOp(op=joint, values=values):
            if is_handed_on(node) and _may_be_column(operand):
                return None if same(operand, node.operand) else ast.UnaryOp(ast.Not(), operand)
            context.took("negated conditions")
            other: ast.boolop = ast.Or() if isinstance(joint, ast.And) else ast.And()
            node_of = ast.BoolOp(other, [again_not(value, context) for value in values])
            return flattened(node_of, context) or node_of
    return None if operand is node.operand else ast.UnaryOp(ast.Not(), operand)


def flattened(node: ast.BoolOp, context: Context) -> ast.AST | None:
    """Turn `(a and b) and c` into `a and b and c`."""
    if not any(isinstance(v, ast.BoolOp) and type(v.op) is type(node.op) for v in node.values):
        return None
    values: list[ast.expr] = []
    for value in node.values:
        inner = isinstance(value, ast.BoolOp) and type(value.op) is type(node.op)
        values.extend(value.values if inner and isinstance(value, ast.BoolOp) else [value])
    context.took("nested conditions")
    return ast.BoolOp(node.op, values)


def tested(node: ast.If | ast.While | ast.Assert, context: Context) -> ast.AST | None:
    """Normalize the condition of a statement."""
    node.test = truth(node.test, context)
    return None


def guarded(node: ast.match_case, context: Context) -> ast.AST | None:
    """Normalize the guard of a case."""
    if node.guard is not None:
        node.guard = truth(node.guard, context)
    return None


def returned(node: ast.Return, context: Context) -> ast.AST | None:
    """Normalize the value that a function annotated with `bool` returns."""
    function = context.enclosing[-1][0] if context.enclosing else None
    match getattr(function, "returns", None):
        case ast.Name(id="bool") if node.value is not None:
            node.value = _without_equal_none(node.value, context)
    return None


def _without_equal_none(node: ast.expr, context: Context) -> ast.expr:
    match node:
        case ast.Compare():
            return truth(node, context)
        case ast.BoolOp(op=operator, values=values):
            return ast.BoolOp(operator, [_without_equal_none(value, context) for value in values])
    return node


def decided(node: ast.BoolOp, context: Context) -> ast.AST | None:
    """Normalize comparisons with None whose truth decides whether the following operands are
    evaluated."""
    *first, last = node.values
    node.values = [_without_equal_none(value, context) for value in first] + [last]
    return None


def filtered(node: ast.comprehension, context: Context) -> ast.AST | None:
    """Normalize the conditions of a comprehension."""
    node.ifs = [truth(each, context) for each in node.ifs]
    if len(node.ifs) > 1:
        # Consecutive `if` clauses ask the same as `and`.
        both = ast.BoolOp(ast.And(), node.ifs)
        node.ifs = [flattened(both, context) or both]  # type: ignore[list-item]
    return None


def chosen(node: ast.IfExp, context: Context) -> ast.AST | None:
    """Normalize a choice between two values."""
    node.test = truth(node.test, context)
    test, body, orelse = node.test, node.body, node.orelse
    if is_constant(body, True) and is_constant(orelse, False):
        context.took("choices of True or False")
        return test if _is_bool_here(test, node, context) else _bool(test, context)
    if is_constant(body, False) and is_constant(orelse, True):
        context.took("choices of True or False")
        return _not_here(test, node, context)
    one_of_two = _one_of_two(test, body, orelse, context)
    if one_of_two is not None:
        context.took("choices of True or False")
        return one_of_two
    if is_negative(test, context):
        context.took("reversed choices")
        return ast.IfExp(opposite(test, context), orelse, body)
    if same(body, test) and is_repeatable(test, context):
        context.took("choices as `or`")
        new_or = ast.BoolOp(ast.Or(), [test, orelse])
        return flattened(new_or, context) or new_or
    if isinstance(orelse, ast.IfExp) and same(orelse.body, body):
        context.took("choices with one outcome")
        either = ast.BoolOp(ast.Or(), [test, orelse.test])
        return ast.IfExp(flattened(either, context) or either, body, orelse.orelse)  # type: ignore[arg-type]
    return None


def _one_of_two(
    test: ast.expr, body: ast.expr, orelse: ast.expr, context: Context
) -> ast.expr | None:
    """Turn `True if a else b` into `a or b` if both are bools, and likewise with False or
    swapped arms."""
    for fixed, other, is_first in ((body, orelse, True), (orelse, body, False)):
        if not isinstance(fixed, ast.Constant) or type(fixed.value) is not bool:
            continue
        if not is_bool(other, context):
            continue
        wants_truth = fixed.value is is_first
        asked = test if wants_truth else again_not(test, context)
        asked = asked if is_bool(asked, context) else _bool(asked, context)
        # The constant is the answer if the condition alone decides.
        joint: ast.boolop = ast.Or() if fixed.value else ast.And()
        new = ast.BoolOp(joint, [asked, other])
        return flattened(new, context) or new  # type: ignore[return-value]
    return None


def is_negative(node: ast.expr, context: Context) -> bool:
    """Return whether all of a condition is negated, so that its opposite is easier to read."""
    match node:
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=[ast.NotIn() | ast.IsNot()]):
            return True
        case ast.Compare(ops=[ast.NotEq()]):
            return context.facts.plain
        case ast.BoolOp(values=values):
            return all(is_negative(value, context) for value in values)
    return False


def _bool(node: ast.expr, context: Context) -> ast.expr:
    # A program that defines `bool` means another function.
    name = "bool" if context.means_builtin("bool") else "builtins.bool"
    return ast.Call(ast.Name(name, ast.Load()), [node], [])


def _is_bool_here(node: ast.expr, place: ast.expr, context: Context) -> bool:
    """Return whether an expression is a bool where it replaces another one.

    An argument or an index may compare columns, which yields a column.
    """
    return is_bool(node, context) and not (is_handed_on(place) and _may_be_column(node))


def _may_be_column(node: ast.expr) -> bool:
    return any(
        isinstance(each, ast.Compare) and not all(isinstance(o, _ALWAYS_BOOL) for o in each.ops)
        for each in ast.walk(node)
    )


def _not_here(node: ast.expr, place: ast.expr, context: Context) -> ast.expr:
    new = again_not(node, context)
    if is_handed_on(place) and _may_be_column(new):
        return _bool(new, context)
    return new


def made_bool(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `bool(a in b)` into `a in b`. Only the truth of the argument matters."""
    if not context.is_builtin(node.func, "bool") or len(node.args) != 1 or node.keywords:
        return None
    asked = truth(node.args[0], context)
    if _is_bool_here(asked, node, context):
        context.took("conditions converted to bool")
        return asked
    return None if asked is node.args[0] else _bool(asked, context)


_LOAD = ast.Load()
_CUT = {"startswith": "removeprefix", "endswith": "removesuffix"}


def looked_up(node: ast.IfExp, context: Context) -> ast.AST | None:
    """Turn `d[k] if k in d else 0` into `d.get(k, 0)` for a dict."""
    match node:
        case ast.IfExp(
            test=ast.Compare(left=key, ops=[ast.In()], comparators=[owner]),
            body=ast.Subscript(value=value, slice=index),
            orelse=default,
        ):
            pass
        case _:
            return None
    if context.kind(owner) != "dict" or not is_simple(owner) or not same(owner, value):
        return None
    if not same(key, index) or not is_repeatable(key, context) or not _is_fixed(default):
        return None
    context.took("get() of a dict")
    given = [key] if isinstance(default, ast.Constant) and default.value is None else [key, default]
    return ast.Call(ast.Attribute(owner, "get", _LOAD), given, [])


def _is_fixed(node: ast.expr) -> bool:
    """Return whether an expression may be evaluated even if its value is not needed."""
    match node:
        case ast.Constant() | ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return True
    return False


def cut(node: ast.If, context: Context) -> ast.AST | None:
    """Turn `if s.startswith("ab"): s = s[2:]` into `s = s.removeprefix("ab")` for a string."""
    match node:
        case ast.If(
            test=test,
            body=[ast.Assign(targets=[ast.Name(id=name) as target], value=value)],
            orelse=[],
        ):
            new = _without(test, value, ast.Name(name, _LOAD), context)
            return ast.Assign([target], new) if new is not None else None
    return None


def affixed(node: ast.IfExp, context: Context) -> ast.AST | None:
    """Turn `s[2:] if s.startswith("ab") else s` into `s.removeprefix("ab")`."""
    return _without(node.test, node.body, node.orelse, context)


def _without(test: ast.expr, value: ast.expr, text: ast.expr, context: Context) -> ast.expr | None:
    """Return the call that removes a prefix or suffix, or None."""
    match test:
        case ast.Call(
            func=ast.Attribute(value=asked, attr=attribute),
            args=[ast.Constant(value=str(affix)) as given],
            keywords=[],
        ) if attribute in _CUT and affix:
            pass
        case _:
            return None
    match value:
        case ast.Subscript(value=whole, slice=ast.Slice(lower=lower, upper=upper, step=None)):
            pass
        case _:
            return None
    kept = (lower, upper) if attribute == "startswith" else (upper, lower)
    count = kept[0] if attribute == "startswith" else _negated(kept[0])
    cuts = isinstance(count, ast.Constant) and count.value == len(affix) and kept[1] is None
    if not cuts or not isinstance(text, ast.Name) or context.kind(text) != "str":
        return None
    if not same(asked, text) or not same(whole, text):
        return None
    context.took("removed prefixes and suffixes")
    return ast.Call(ast.Attribute(text, _CUT[attribute], _LOAD), [given], [])


def _negated(node: ast.expr | None) -> ast.expr | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return node.operand
    return None
