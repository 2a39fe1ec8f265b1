"""Functions of the module `operator`, which do what operators do."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees.terms import State, Term, Tree, WithValue
from codeintel.engine.equivalence.python_paths.lowering import Lowering
from codeintel.engine.equivalence.python_paths.values import operations

_BINARY: dict[str, ast.operator] = {
    "add": ast.Add(),
    "sub": ast.Sub(),
    "mul": ast.Mult(),
    "truediv": ast.Div(),
    "floordiv": ast.FloorDiv(),
    "mod": ast.Mod(),
    "pow": ast.Pow(),
    "and_": ast.BitAnd(),
    "or_": ast.BitOr(),
    "xor": ast.BitXor(),
    "lshift": ast.LShift(),
    "rshift": ast.RShift(),
    "matmul": ast.MatMult(),
}


def is_known(name: str) -> bool:
    """Whether a full name is that of a function here, which is there in every Python."""
    module, _, function = name.rpartition(".")
    return module == "operator" and function in _BINARY


def applied(
    function: Term, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree | None:
    """`operator.add(a, b)` as `a + b`; None for others."""
    if function[0] != "g" or not is_known(function[1]) or len(given) != 2:
        return None
    name = function[1].rpartition(".")[2]
    if name in low.context.facts.replaced or any(each[0] in {"keyword", "star"} for each in given):
        return None
    return operations.calculated(_BINARY[name], given[0], given[1], state, then, low)
