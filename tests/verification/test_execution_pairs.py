"""Many wrong and correct rewrites together: each wrong one is detected, each correct one is
proven."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from itertools import islice

import pytest
from execution_right import RIGHT
from execution_samples import a_sandbox
from execution_wrong import HEADS, WRONG

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.comparison import Evidence
from codeintel.engine.sandbox import behaviour, comparing
from codeintel.engine.sandbox.behaviour import Behaviour
from codeintel.engine.sandbox.records import Record

Pairs = Mapping[str, tuple[str, str, str]]
TOGETHER = 6
"""How many pairs make one program: a sandbox takes longer to start than a pair to run."""
DOUBTED = frozenset(("lower for casefold",))
"""What examples alone need not find: it is no proof, as a method was exchanged."""

UNSETTLED = frozenset(("join", "merged", "recursion to a loop"))
"""Right rewrites in which something changes that could be wrong for values that are rare."""


def groups(names: list[str]) -> list[tuple[str, ...]]:
    """Return names in groups that run together."""
    left = iter(names)
    return [*iter(lambda: tuple(islice(left, TOGETHER)), ())]


class Renamed(ast.NodeTransformer):
    """Gives the names at the top of a program an ending."""

    def __init__(self, tree: ast.Module, ending: str) -> None:
        nodes = [*tree.body]
        names = {getattr(node, "name", "") for node in nodes}
        names |= {each.id for node in nodes for each in getattr(node, "targets", ())}
        self._names = {name: f"{name}{ending}" for name in names if name}

    def _name(self, name: str) -> str:
        return self._names.get(name, name)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self._name(node.id), node.ctx)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        is_class = isinstance(node.value, str) and node.value.istitle()
        return ast.Constant(self._name(str(node.value))) if is_class else node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            node.name = self._name(node.name)
        return super().generic_visit(node)


def merged(pairs: Iterable[tuple[str, str, str]]) -> tuple[str, str, list[set[str]]]:
    """Return the programs of all originals and of all results, and the names of the functions of
    each."""
    sides, names = ["", ""], []
    for number, (before, old, new) in enumerate(pairs):
        assert before.count(old) == 1, old
        found: set[str] = set()
        for side, code in enumerate((before, before.replace(old, new))):
            tree = ast.parse(code)
            Renamed(tree, f"_{number}").visit(tree)
            sides[side] += ast.unparse(ast.fix_missing_locations(tree)) + "\n"
            found |= {getattr(node, "name", "") for node in tree.body}
        names.append(found)
    return HEADS + sides[0], HEADS + sides[1], names


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return names of all differences, because an evidence has only some. There is time for a
    dozen pairs."""
    found: list[str] = []

    def compared(first: Record, second: Record, result: Record, *, reaching: str = "") -> Evidence:
        found[:] = comparing.differing(first, second, result)
        return comparing.compared(first, second, result, reaching=reaching)

    monkeypatch.setattr(behaviour, "compared", compared)
    for name in ("ORIGINAL_SECONDS", "RESULT_SECONDS", "_ATTEMPT_SECONDS"):
        monkeypatch.setattr(behaviour, name, 40.0)
    for name in ("_FIRST", "_RESULT", "_SECOND"):
        limits = getattr(behaviour, name)
        monkeypatch.setattr(behaviour, name, {**limits, "budget": 6.0})
    return found


@pytest.mark.parametrize("names", groups(sorted(WRONG.keys() - DOUBTED)), ids="; ".join)
def test_wrong_rewrites_are_found_out(names: tuple[str, ...], told: list[str]) -> None:
    before, after, defined = merged(WRONG[name] for name in names)
    found = Behaviour(a_sandbox(), "somebody", before).compare(after)
    assert found.status is CheckStatus.FAILED
    functions = {each.strip("`").partition(".")[0] for each in told}
    assert [name for name, own in zip(names, defined, strict=True) if not own & functions] == []


@pytest.mark.parametrize("names", groups(sorted(RIGHT.keys() - UNSETTLED)), ids="; ".join)
def test_right_rewrites_are_proven(names: tuple[str, ...], told: list[str]) -> None:
    before, after, _ = merged(RIGHT[name] for name in names)
    found = Behaviour(a_sandbox(), "somebody", before).compare(after)
    assert (found.status, told) == (CheckStatus.PASSED, [])
    assert found.conclusive, found.text


@pytest.mark.parametrize("name", sorted(UNSETTLED))
def test_examples_do_not_settle_all_right_rewrites(name: str) -> None:
    before, old, new = RIGHT[name]
    found = Behaviour(a_sandbox(), "somebody", before).compare(before.replace(old, new))
    assert (found.status, found.conclusive) == (CheckStatus.PASSED, False)


@pytest.mark.parametrize("name", DOUBTED)
def test_what_is_exchanged_is_no_proof(name: str) -> None:
    before, old, new = WRONG[name]
    found = Behaviour(a_sandbox(), "somebody", before).compare(before.replace(old, new))
    assert not found.conclusive
