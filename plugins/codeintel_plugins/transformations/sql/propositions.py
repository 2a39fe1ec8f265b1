"""Whether two conditions let the same rows pass, whatever their parts come to."""

from __future__ import annotations

from itertools import product

from sqlglot import exp

_MAX_PARTS = 7
"""All combinations of true, false and unknown are tried: some 2,000."""
Truth = bool | None


def same_rows(one: exp.Expr, other: exp.Expr) -> bool:
    """Whether both are true for the same truths of their parts, in the logic of three values. What
    depends on what a part says, such as `a > 1 AND a > 2`, is not known to be the same: it may be
    about types and collations."""
    parts = sorted({*_parts(one), *_parts(other)})
    if len(parts) > _MAX_PARTS:
        return False
    for truths in product((True, False, None), repeat=len(parts)):
        known = dict(zip(parts, truths, strict=True))
        if (_truth(one, known) is True) is not (_truth(other, known) is True):
            return False
    return True


def _parts(condition: exp.Expr) -> set[str]:
    match condition:
        case exp.And() | exp.Or():
            return _parts(condition.left) | _parts(condition.right)
        case exp.Not() | exp.Paren():
            return _parts(condition.this)
        case exp.Boolean() | exp.Null():
            return set()
        case _:
            return {condition.sql(comments=False)}


def _truth(condition: exp.Expr, known: dict[str, Truth]) -> Truth:
    match condition:
        case exp.And() | exp.Or():
            decides = isinstance(condition, exp.Or)
            sides = [_truth(condition.left, known), _truth(condition.right, known)]
            if decides in sides:
                return decides
            return None if None in sides else not decides
        case exp.Not():
            inner = _truth(condition.this, known)
            return None if inner is None else not inner
        case exp.Paren():
            return _truth(condition.this, known)
        case exp.Boolean():
            return bool(condition.this)
        case exp.Null():
            return None
        case _:
            return known[condition.sql(comments=False)]
