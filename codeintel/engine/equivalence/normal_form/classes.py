"""Classes, their bases, `super`, and what is raised and caught."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context

_KEEPING = frozenset({"total_ordering", "unique", "final", "runtime_checkable", "dataclass"})


def derived(node: ast.ClassDef, context: Context) -> ast.AST | None:
    """`class A(object)` is `class A`; `metaclass=type` is what there is anyway."""
    bases = [base for base in node.bases if not context.is_builtin(base, "object")]
    if any(not _is_usual(each, context) for each in node.keywords) or (
        context.facts.words & {"__bases__", "__orig_bases__"}
    ):
        return None
    if len(bases) != len(node.bases) and context.is_builtin(node.bases[-1], "object"):
        context.took("the base `object`")
        node.bases = bases
    keywords = [
        keyword
        for keyword in node.keywords
        if keyword.arg != "metaclass" or not context.is_builtin(keyword.value, "type")
    ]
    if len(keywords) != len(node.keywords):
        context.took("the usual metaclass")
        node.keywords = keywords
    kept = [each for each in node.body if not _is_old_metaclass(each, context)]
    if len(kept) != len(node.body):
        context.took("the usual metaclass")
        node.body = kept or [ast.Pass()]
    return None


def _is_usual(node: ast.keyword, context: Context) -> bool:
    """Whether nothing that a class is given looks at its bases."""
    match node:
        case ast.keyword(arg="metaclass", value=ast.Name(id=name) as value):
            return name == "abc.ABCMeta" or context.is_builtin(value, "type")
    return False


def _is_old_metaclass(node: ast.stmt, context: Context) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id="__metaclass__")], value=value):
            return context.is_builtin(value, "type")
    return False


def above(node: ast.Call, context: Context) -> ast.AST | None:
    """`super(C, self)` is `super()` in a method of C, if C stays what it is."""
    if not context.is_builtin(node.func, "super") or node.keywords or not context.enclosing:
        return None
    function, owner = context.enclosing[-1]
    match node.args:
        case [ast.Name(id=name), ast.Name(id=first)]:
            pass
        case _:
            return None
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) or owner is None:
        return None
    given = [*function.args.posonlyargs, *function.args.args]
    if name != owner.name or not given or given[0].arg != first:
        return None
    if first in context.scope.stored or not _keeps_class(owner, context):
        return None
    context.took("super() of the class around")
    return ast.Call(node.func, [], [])


def _keeps_class(owner: ast.ClassDef, context: Context) -> bool:
    """Whether the name of a class means this class for good: no decorator makes a new one of it,
    and it is at the top of the module, bound once."""
    for decorator in owner.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name.rpartition(".")[2] not in _KEEPING:
            return False
        if isinstance(decorator, ast.Call) and any(k.arg == "slots" for k in decorator.keywords):
            return False
    return context.facts.classes_once.get(owner.name) is True


def raised(node: ast.Raise, context: Context) -> ast.AST | None:
    """`raise ValueError()` is `raise ValueError`."""
    match node.exc:
        case ast.Call(func=ast.Name(id=name) as function, args=[], keywords=[]):
            is_class = name.endswith(("Error", "Exception", "Interrupt", "Exit", "StopIteration"))
            is_own = name in context.facts.derived_once and node.cause is None
            if is_class and (context.means_builtin(name) or is_own):
                context.took("exceptions without arguments")
                node.exc = function
    return None


def caught(node: ast.ExceptHandler, context: Context) -> ast.AST | None:
    """`except (A,)` is `except A`, and each is caught once."""
    if not isinstance(node.type, ast.Tuple):
        return None
    kept: dict[str, ast.expr] = {}
    for each in node.type.elts:
        if not isinstance(each, ast.Name):
            return None
        kept.setdefault(each.id, each)
    # Of builtins, what is below OSError is caught with it.
    if len(kept) != len(node.type.elts) or len(kept) == 1:
        context.took("exceptions that are caught twice")
        types = list(kept.values())
        node.type = types[0] if len(types) == 1 else ast.Tuple(types, ast.Load())
    return None


STEPS = {
    ast.ClassDef: [derived],
    ast.Call: [above],
    ast.Raise: [raised],
    ast.ExceptHandler: [caught],
}
