"""Render a function as text that is equal for functions that do the same."""

from __future__ import annotations

import ast
import collections.abc
import typing
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from codeintel.engine.equivalence.normal_form.facts import names_bound
from codeintel.engine.equivalence.path_trees import State, Tree, UnsupportedError
from codeintel.engine.equivalence.python_paths import assignments, statements
from codeintel.engine.equivalence.python_paths.expressions import loops
from codeintel.engine.equivalence.python_paths.expressions.closures import parameters
from codeintel.engine.equivalence.python_paths.expressions.conditions import test
from codeintel.engine.equivalence.python_paths.expressions.expressions import EXPRESSIONS
from codeintel.engine.equivalence.python_paths.kinds import base_of, promised
from codeintel.engine.equivalence.python_paths.lowering import Function, Handlers, Lowering, Program
from codeintel.engine.equivalence.python_trees import text_of

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_NOT_FOLLOWED = (ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, ast.ClassDef)
_QUIET = frozenset({"staticmethod", "classmethod", "property", "abc.abstractmethod"})
_HANDLERS = Handlers(EXPRESSIONS, test, assignments.store, statements.block, loops.go_through)
_READING_DOCS = frozenset({"__doc__", "doctest", "docopt", "getdoc", "help"})


def kinds_of(node: Function, program: Program) -> dict[str, str]:
    """Return the kinds that the parameters' annotations promise."""
    given = node.args
    named = [*given.posonlyargs, *given.args]
    plain = [each.arg for each in named[: len(named) - len(given.defaults)]]
    kinds = {each.arg: promised(each.annotation, program.context) for each in named}
    for each, default in zip(named[len(plain) :], given.defaults, strict=True):
        if not _may_be(default, kinds[each.arg]):
            kinds[each.arg] = ""
    for each, other in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        kind = promised(each.annotation, program.context)
        kinds[each.arg] = kind if other is None or _may_be(other, kind) else ""
    if any(isinstance(e, ast.Name) and e.id == "bool" for top in node.body for e in ast.walk(top)):
        # The function seems to rely on a bool where an int is annotated.
        kinds = {name: "" if kind == "int" else kind for name, kind in kinds.items()}
    return kinds


def _may_be(default: ast.expr, kind: str) -> bool:
    """Return whether a default may have the kind that its parameter's annotation promises."""
    base = base_of(kind)
    if isinstance(default, ast.Constant):
        return type(default.value).__name__ in ({"int", "float"} if base == "number" else {base})
    return not isinstance(default, ast.Tuple) or base == "tuple"


def function_tree(
    node: Function,
    program: Program,
    kinds: Mapping[str, str],
    attributes: Mapping[str, str],
    owner: str = "",
) -> tuple[str, Tree]:
    """Return a text for the function's header, and its path tree.

    :param kinds: the known kinds of its parameters.
    :param attributes: the known kinds of its instance's attributes. Promises that only a rewrite
        makes are not trusted.
    :param owner: the class that has this method.
    :raises UnsupportedError: if the function has no tree.
    """
    if program.context.facts.dynamic:
        raise UnsupportedError("variables that are read by name")
    if any(isinstance(each, _NOT_FOLLOWED) for top in node.body for each in ast.walk(top)):
        raise UnsupportedError("outer names, imports or classes")
    body, head = _described(node, program)
    if any(name.startswith("__") for name in _bound(body)):
        raise UnsupportedError("variables that tools read")
    names = parameters(node.args)
    local = frozenset(names) | frozenset(_bound(node.body))
    low = Lowering(program, local, _HANDLERS, frozenset(_rebound(node, names)))
    starred = [each.arg for each in (node.args.vararg, node.args.kwarg) if each is not None]
    known = {**{n: kinds.get(n, "") for n in names}}
    for name in starred:
        known[name] = "dict" if node.args.kwarg and name == node.args.kwarg.arg else ""
    start = State(statements.start_names(names, known))
    own = program.owners.get(owner)
    if own is not None and node.name in own.methods and (node.args.posonlyargs or node.args.args):
        low.own, low.myself = replace(own, kinds=attributes), ("p", "0", "")
    tree = low.whole(body, start)
    yields = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in _own(node.body))
    kind = "generator" if yields else "function"
    return f"{type(node).__name__} {kind} {head}", tree


def _described(node: Function, program: Program) -> tuple[list[ast.stmt], str]:
    """Return the body without a docstring, and a text for the header."""
    facts = program.context.facts
    body, head = list(node.body), [node.name]
    decorators = [text_of(each) for each in node.decorator_list]
    quiet = all(isinstance(each, ast.Name) and each.id in _QUIET for each in node.decorator_list)
    match body:
        case [ast.Expr(value=ast.Constant(value=str(text))), *rest]:
            body = rest
            if not quiet or facts.words & _READING_DOCS or ">>>" in text:
                head.append(text)
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    every += [each for each in (given.vararg, given.kwarg) if each is not None]
    annotations = [each.annotation for each in every] + [node.returns]
    kept = [
        "" if each is None or (quiet and _is_harmless(each, program)) else text_of(each)
        for each in annotations
    ]
    bare = ast.arguments(
        [ast.arg(each.arg) for each in given.posonlyargs],
        [ast.arg(each.arg) for each in given.args],
        ast.arg(given.vararg.arg) if given.vararg else None,
        [ast.arg(each.arg) for each in given.kwonlyargs],
        given.kw_defaults,
        ast.arg(given.kwarg.arg) if given.kwarg else None,
        given.defaults,
    )
    return body, "|".join([*head, *decorators, text_of(bare), *kept])


def _is_harmless(node: ast.expr, program: Program) -> bool:
    """Return whether an annotation makes no difference: evaluating it cannot fail, and nothing
    reads it."""
    if program.context.facts.introspects:
        return False
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            known = each.id == "| of types" or each.id in program.bound or _is_type(each.id)
            if not known and not program.context.means_builtin(each.id):
                return False
        elif not isinstance(
            each, ast.Subscript | ast.Tuple | ast.Constant | ast.expr_context | ast.List
        ):
            return False
    return True


def _is_type(name: str) -> bool:
    """Return whether a full name belongs to a type that every Python version has for
    annotations."""
    module, _, attribute = name.rpartition(".")
    owner = {"typing": typing, "collections.abc": collections.abc}.get(module)
    return owner is not None and hasattr(owner, attribute)


def _own(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of nested functions."""
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _SCOPES):
            stack.extend(ast.iter_child_nodes(node))


def _bound(body: list[ast.stmt]) -> set[str]:
    found: set[str] = set()
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        found.update(names_bound(node))
        if isinstance(node, _COMPREHENSIONS):
            walrus = (each for each in ast.walk(node) if isinstance(each, ast.NamedExpr))
            found.update(each.target.id for each in walrus)
            stack.append(node.generators[0].iter)
        elif not isinstance(node, _SCOPES):
            stack.extend(ast.iter_child_nodes(node))
    return found


def _rebound(node: Function, names: list[str]) -> set[str]:
    """Return the names that are bound more than once, or in a loop."""
    counts: Counter[str] = Counter(names)
    again: set[str] = set()
    for top in node.body:
        for each in ast.walk(top):
            counts.update(names_bound(each))
            if isinstance(each, ast.For | ast.While | ast.AsyncFor):
                for inner in ast.walk(each):
                    again.update(names_bound(inner))
            elif isinstance(each, ast.comprehension):
                again.update(n.id for n in ast.walk(each.target) if isinstance(n, ast.Name))
            elif isinstance(each, _COMPREHENSIONS):
                walrus = (inner for inner in ast.walk(each) if isinstance(inner, ast.NamedExpr))
                again.update(inner.target.id for inner in walrus)
    return again | {name for name, count in counts.items() if count > 1}
