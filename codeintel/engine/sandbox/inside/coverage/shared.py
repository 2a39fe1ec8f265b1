"""Find out in which order functions read and change arguments that may be the same object.

Callers rarely pass one list twice, so generated calls do not. But a caller may, and then the order
matters: a list that is read before the other argument is changed has other elements than after it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from .changes import last_name

Event = tuple[str, str]
_CHANGING = frozenset(
    [
        *("append", "appendleft", "extend", "extendleft", "insert", "pop", "popleft", "popitem"),
        *("remove", "clear", "sort", "reverse", "add", "discard", "update", "setdefault"),
        "move_to_end",
    ]
)
_PUTTING = frozenset(("append", "appendleft", "insert", "add", "setdefault"))
_PLAIN = frozenset(("int", "float", "complex", "bool", "str", "bytes", "date", "datetime"))
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def shared_arguments(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, tuple[Event, ...]]]:
    """Yield the functions that change one argument and read another of the same annotation, each
    with the order of changes and reads.
    """
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            events = tuple(_compact(_Events(node).found))
            if _may_meet(node, events):
                yield node.name, events


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, str]:
    """Return the annotations of the parameters that may hold changeable values."""
    given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    found = {
        each.arg: ast.unparse(each.annotation) if each.annotation is not None else ""
        for each in given
        if each.arg not in ("self", "cls")
    }
    return {name: text for name, text in found.items() if text not in _PLAIN}


def _may_meet(node: ast.FunctionDef | ast.AsyncFunctionDef, events: tuple[Event, ...]) -> bool:
    annotations = _annotations(node)
    changed = {name for what, name in events if what == "change"}
    read = {name for what, name in events if what == "read"}
    return any(
        one != other and annotations[one] == annotations[other]
        for one in changed
        for other in read | changed
    )


def _compact(events: list[Event]) -> Iterator[Event]:
    """Drop repeated events, and loops that change nothing."""
    left: list[Event] = []
    for event in events:
        if event[0] == "end" and left[-1] == ("begin", event[1]):
            left.pop()
        elif not left or left[-1] != event:
            left.append(event)
    yield from left


class _Events(ast.NodeVisitor):
    """Collects the changes and reads of parameters, roughly in the order of evaluation."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._names = _annotations(node).keys()
        self.found: list[Event] = []
        for each in node.body:
            self.visit(each)

    def _add(self, what: str, node: ast.AST | None) -> None:
        name = last_name(node) if isinstance(node, ast.Name) else ""
        if name in self._names:
            self.found.append((what, name))

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._add("read", node)

    def visit_Call(self, node: ast.Call) -> None:
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        is_change = last_name(node.func) in _CHANGING and isinstance(owner, ast.Name)
        if not is_change:
            self.visit(node.func)
        for each in (*node.args, *node.keywords):
            # What is put into a collection as it is, is not looked into.
            if not (is_change and isinstance(each, ast.Name) and last_name(node.func) in _PUTTING):
                self.visit(each)
        if is_change:
            self._add("change", owner)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for each in node.targets:
            self.visit(each)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)
        self.visit(node.target)
        self._add("change", node.target)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.ctx, ast.Load):
            self.visit(node.value)
        self.visit(node.slice)
        if not isinstance(node.ctx, ast.Load):
            self._add("change", node.value)

    def visit_For(self, node: ast.For) -> None:
        self._loop(node.iter, (node.target, *node.body, *node.orelse))

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        self._loop(node.iter, (node.target, *node.body, *node.orelse))

    def _loop(self, values: ast.expr, body: Iterable[ast.AST]) -> None:
        """Add the events of a loop. A change within it differs from one behind it."""
        self.visit(values)
        name = values.id if isinstance(values, ast.Name) else ""
        is_known = name in self._names
        self.found += [("begin", name)] if is_known else []
        for each in body:
            self.visit(each)
        self.found += [("end", name)] if is_known else []

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, _COMPREHENSIONS):
            for each in node.generators:
                self.visit(each)
        super().generic_visit(node)
