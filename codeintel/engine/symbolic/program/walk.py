"""Going through expressions: what occurs in them, and what loops change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from codeintel.engine.symbolic.program.syntax import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    CType,
    Deref,
    Expr,
    Field,
    Number,
    Step,
    Subscript,
    Var,
)

_RELATIONS = frozenset({"<", ">", "<=", ">=", "!="})


def walk(expr: Expr | None) -> Iterator[Expr]:
    """An expression and all that it is made of."""
    pending = [expr] if expr is not None else []
    while pending:
        each = pending.pop()
        yield each
        pending.extend(parts_of(each))


def parts_of(expr: Expr) -> Iterator[Expr]:
    """The expressions that an expression is directly made of."""
    parts: tuple[Any, ...] = expr
    for part in parts:
        several = part if isinstance(part, tuple) and not hasattr(part, "span") else (part,)
        for each in several if not isinstance(part, CType) else ():
            if hasattr(each, "span"):
                yield each


def stripped(expr: Expr) -> Expr:
    """An expression without the casts around it."""
    while isinstance(expr, Cast):
        expr = expr.value
    return expr


def root_name(expr: Expr) -> str:
    """The variable that a place is in or is reached from, or nothing."""
    for _ in range(20):
        if isinstance(expr, Var):
            return expr.name
        if isinstance(expr, Field | Subscript):
            expr = expr.object
        elif isinstance(expr, Deref | AddressOf | Cast):
            expr = expr.value
        else:
            return ""
    return ""


def changed_names(exprs: Iterable[Expr]) -> frozenset[str]:
    """The variables that expressions may change."""
    found = set()
    for top in exprs:
        for each in walk(top):
            if isinstance(each, Assign | Step) and isinstance(each.target, Var):
                found.add(each.target.name)
            elif isinstance(each, AddressOf):
                found.add(root_name(each.value))
            elif isinstance(each, Call) and each.object is not None:
                found.add(root_name(each.object))
    return frozenset(found - {""})


def touched_names(exprs: Iterable[Expr]) -> frozenset[str]:
    """The variables through which expressions may write."""
    found = set()
    for top in exprs:
        for each in walk(top):
            if isinstance(each, Assign | Step) and not isinstance(each.target, Var):
                found.add(root_name(each.target))
            elif isinstance(each, Call):
                found.update(root_name(arg) for arg in each.args)
    return frozenset(found - {""})


def stepped_names(exprs: Iterable[Expr]) -> dict[str, int]:
    """The variables that are only stepped, with the direction: 1, -1, or 0 for both or unknown."""
    steps: dict[str, set[int]] = {}
    others = set()
    for top in exprs:
        for each in walk(top):
            if isinstance(each, Step) and isinstance(each.target, Var):
                steps.setdefault(each.target.name, set()).add(each.by)
            elif isinstance(each, Assign) and isinstance(each.target, Var):
                if each.op in ("+", "-"):
                    positive = isinstance(each.value, Number) and each.value.value >= 0
                    sign = (1 if each.op == "+" else -1) if positive else 0
                    steps.setdefault(each.target.name, set()).add(sign)
                elif each.op:
                    steps.setdefault(each.target.name, set()).add(0)
                else:
                    others.add(each.target.name)
    return {
        name: (min(found) if len(found) == 1 else 0)
        for name, found in steps.items()
        if name not in others
    }


def compares(tests: Iterable[Expr], names: Iterable[str]) -> bool:
    """Whether conditions hold one of some variables against a limit."""
    wanted = frozenset(names)
    for top in tests:
        for each in walk(top):
            if not isinstance(each, Binary) or each.op not in _RELATIONS:
                continue
            for side, other in ((each.left, each.right), (each.right, each.left)):
                if each.op == "!=" and isinstance(stripped(other), Number):
                    continue
                if any(isinstance(part, Var) and part.name in wanted for part in walk(side)):
                    if each.op == "!=" and isinstance(stripped(side), Deref | Subscript):
                        continue
                    return True
    return False
