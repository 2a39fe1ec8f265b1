"""Find the functions that a rewrite changed, and the functions that call them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef
Units = dict[str, "ast.FunctionDef | ast.AsyncFunctionDef"]
"""The functions and methods (`C.m`) of a module by name. The last definition counts."""


def functions(tree: ast.Module) -> Units:
    """Return the functions at the top of a module and the methods of its classes."""
    found: Units = {}
    for node in _statements(tree.body):
        if isinstance(node, Function):
            found[node.name] = node
        elif isinstance(node, ast.ClassDef):
            for each in _statements(node.body):
                if isinstance(each, Function):
                    found[f"{node.name}.{each.name}"] = each
    return found


def focus(tree: ast.Module, other: ast.Module) -> frozenset[str]:
    """Return the functions of `tree` that a comparison with `other` must cover.

    These are the functions that differ between both trees, and those that use a name whose meaning
    differs, directly or through others. Docstrings and annotations of functions do not count.
    """
    changed = _through(tree, _changed(tree, other))
    units = functions(tree)
    used = {name: words_of(node) for name, node in units.items()}
    found = {name for name in units if name in changed or name.partition(".")[0] in changed}
    words = changed | {each.rpartition(".")[2] for each in found} | _owners(found)
    while True:
        more = {name for name, names in used.items() if name not in found and names & words}
        if not more:
            return frozenset(found)
        found |= more
        words |= {each.rpartition(".")[2] for each in more} | _owners(more)


def rewritten(tree: ast.Module, other: ast.Module) -> frozenset[str]:
    """Return the functions of `tree` that are missing or different in `other`."""
    return frozenset(functions(tree).keys() & _changed(tree, other))


def kept_classes(tree: ast.Module, other: ast.Module) -> frozenset[str]:
    """Return the classes that both programs define alike, with all methods."""
    changed = {name.partition(".")[0] for name in _changed(tree, other)}
    return frozenset(
        node.name
        for node in _statements(tree.body)
        if isinstance(node, ast.ClassDef) and node.name not in changed
    )


def reaching(tree: ast.Module) -> dict[str, frozenset[str]]:
    """Return the functions that each function may call, directly or through others, including
    itself."""
    units = functions(tree)
    by_word: dict[str, set[str]] = {}
    for name in units:
        owner, _, word = name.rpartition(".")
        by_word.setdefault(word, set()).add(name)
        if word == "__init__" or owner:
            by_word.setdefault(owner, set()).add(name)
    direct = {
        name: set().union(
            *(by_word.get(getattr(e, "id", getattr(e, "attr", "")), set()) for e in ast.walk(node))
        )
        for name, node in units.items()
    }
    found = {}
    for name in units:
        seen, left = {name}, [name]
        while left:
            new = direct[left.pop()] - seen
            seen |= new
            left += new
        found[name] = frozenset(seen)
    return found


def loose(tree: ast.Module) -> Iterator[tuple[set[str], ast.stmt]]:
    """Yield the statements of a module and its classes that define no function.

    Each comes with the names that refer to it: those it binds, or its class.
    """
    for node in _statements(tree.body):
        if isinstance(node, ast.ClassDef):
            for each in _statements(node.body):
                if not isinstance(each, Function):
                    yield {node.name}, each
        elif not isinstance(node, Function | ast.Import | ast.ImportFrom):
            yield _stored(node), node


def _owners(names: set[str]) -> set[str]:
    """Return the classes whose `__init__` is among the names."""
    return {name.partition(".")[0] for name in names if name.endswith(".__init__")}


def _through(tree: ast.Module, changed: set[str]) -> set[str]:
    """Return the names, together with the module's names that are derived from them, such as an
    expression with flags."""
    while True:
        more = {
            name
            for bound, node in loose(tree)
            if words_of(node) & changed
            for name in bound
            if name not in changed
        }
        if not more:
            return changed
        changed |= more


def _changed(tree: ast.Module, other: ast.Module) -> set[str]:
    """Return the names whose definition differs: functions, methods (`C.m`), classes, constants."""
    one, two = _prints(tree), _prints(other)
    return {name for name in one.keys() | two.keys() if one.get(name) != two.get(name)}


def _prints(tree: ast.Module) -> dict[str, Counter[str]]:
    """Return the definitions of each name as texts that are equal if the definitions are."""
    found: dict[str, Counter[str]] = {}

    def add(name: str, text: str) -> None:
        found.setdefault(name, Counter())[text] += 1

    for node in _statements(tree.body):
        if isinstance(node, Function):
            add(node.name, fingerprint(node))
        elif isinstance(node, ast.ClassDef):
            rest = [each for each in node.body if not isinstance(each, Function)]
            head = [*node.bases, *node.keywords, *node.decorator_list, *_code(rest)]
            add(node.name, "\n".join(map(ast.dump, head)))
            for each in node.body:
                if isinstance(each, Function):
                    add(f"{node.name}.{each.name}", fingerprint(each))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                module = getattr(node, "module", None)
                add(name, f"{type(node).__name__} {module} {alias.name} {alias.asname}")
        else:
            for name in _stored(node):
                add(name, ast.dump(node))
    return found


def fingerprint(node: ast.AST) -> str:
    """Return a function's tree as text, without docstrings and annotations."""
    return _dumped(_Bare().visit(ast.parse(ast.unparse(node))))


def _dumped(node: ast.AST) -> str:
    return ast.dump(node)


class _Bare(ast.NodeTransformer):
    """Removes everything that does not run."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: Function) -> ast.AST:
        node.body = _code(node.body) or [ast.Pass()]
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node


def _code(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements without standalone strings."""
    return [
        each
        for each in body
        if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
    ]


def words_of(node: ast.AST) -> set[str]:
    """Return the names and attributes that code uses."""
    found = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            found.add(each.id)
        elif isinstance(each, ast.Attribute):
            found.add(each.attr)
    return found


def _stored(node: ast.AST) -> set[str]:
    stored = {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    return stored or {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, including those under a condition."""
    for node in body:
        if isinstance(node, ast.If | ast.Try):
            yield from _statements(node.body)
            yield from _statements(node.orelse)
            for handler in getattr(node, "handlers", []):
                yield from _statements(handler.body)
            yield from _statements(getattr(node, "finalbody", []))
        else:
            yield node


def last_name(node: ast.AST | None) -> str:
    """Return the last name of a called function or method."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
