"""Normalize classes, raised exceptions, functions as expressions, and `map` with a `lambda`."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import has, is_pure, may_move_inside
from codeintel.engine.equivalence.python_trees import words

_KEEPING = frozenset({"total_ordering", "unique", "final", "runtime_checkable", "dataclass"})


def derived(node: ast.ClassDef, context: Context) -> ast.AST | None:
    """Turn `class A(object)` into `class A`, and drop `metaclass=type`, which is the default."""
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
        context.took("the default metaclass")
        node.keywords = keywords
    kept = [each for each in node.body if not _is_old_metaclass(each, context)]
    if len(kept) != len(node.body):
        context.took("the default metaclass")
        node.body = kept or [ast.Pass()]
    return None


def _is_usual(node: ast.keyword, context: Context) -> bool:
    """Return whether a class argument does not inspect the bases."""
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
    """Turn `super(C, self)` into `super()` in a method of C, if the name C always means this
    class."""
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
    context.took("super() of the enclosing class")
    return ast.Call(node.func, [], [])


def _keeps_class(owner: ast.ClassDef, context: Context) -> bool:
    """Return whether the name of a class always means this class.

    Its decorators must return the same class, and the name must be bound once, at the top of the
    module.
    """
    for decorator in owner.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name.rpartition(".")[2] not in _KEEPING:
            return False
        if isinstance(decorator, ast.Call) and any(k.arg == "slots" for k in decorator.keywords):
            return False
    return context.facts.classes_once.get(owner.name) is True


def raised(node: ast.Raise, context: Context) -> ast.AST | None:
    """Turn `raise ValueError()` into `raise ValueError`."""
    match node.exc:
        case ast.Call(func=ast.Name(id=name) as function, args=[], keywords=[]):
            is_class = name.endswith(("Error", "Exception", "Interrupt", "Exit", "StopIteration"))
            is_own = name in context.facts.derived_once and node.cause is None
            if is_class and (context.means_builtin(name) or is_own):
                context.took("exceptions without arguments")
                node.exc = function
    return None


def caught(node: ast.ExceptHandler, context: Context) -> ast.AST | None:
    """Turn `except (A,)` into `except A`, and remove duplicates."""
    if not isinstance(node.type, ast.Tuple):
        return None
    kept: dict[str, ast.expr] = {}
    for each in node.type.elts:
        if not isinstance(each, ast.Name):
            return None
        kept.setdefault(each.id, each)
    # Duplicates vanish, because names of the same exception are already equal.
    if len(kept) != len(node.type.elts) or len(kept) == 1:
        context.took("duplicate exceptions")
        types = list(kept.values())
        node.type = types[0] if len(types) == 1 else ast.Tuple(types, ast.Load())
    return None


_NAMES = frozenset({"__name__", "__qualname__"})
_LOOKING = frozenset(
    words(
        "pickle copyreg shelve marshal multiprocessing concurrent dis inspect traceback cProfile"
        " profile getattr"
    )
)
"""Words of code that can see a function's name."""


def defined(node: ast.Assign, context: Context) -> ast.AST | None:
    """Turn `f = lambda x: y` into `def f(x): return y`. Only the function's own name differs."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=given, body=body)):
            pass
        case _:
            return None
    facts = context.facts
    if facts.attributes & _NAMES or facts.words & _LOOKING or facts.dynamic:
        return None
    if has(body, ast.Yield, ast.YieldFrom, ast.NamedExpr):
        return None
    context.took("named lambdas")
    new = ast.parse(f"def {name}(): pass").body[0]
    if isinstance(new, ast.FunctionDef):
        new.args, new.body = given, [ast.Return(body)]
    return new


def emptied(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `field(default_factory=lambda: [])` into `field(default_factory=list)`."""
    if not isinstance(node.func, ast.Name) or node.func.id != "dataclasses.field":
        return None
    keywords = [_with_type(each, context) for each in node.keywords]
    if all(new is old for new, old in zip(keywords, node.keywords, strict=True)):
        return None
    context.took("default factories")
    return ast.Call(node.func, node.args, keywords)


def _with_type(keyword: ast.keyword, context: Context) -> ast.keyword:
    match keyword:
        case ast.keyword(arg="default_factory", value=ast.Lambda(args=given, body=body)):
            name = _type_of_empty(body)
            takes_none = not has(given, ast.arg)
            if name and takes_none and context.means_builtin(name):
                return ast.keyword(keyword.arg, ast.Name(name, ast.Load()))
    return keyword


def _type_of_empty(node: ast.expr) -> str:
    match node:
        case ast.List(elts=[]):
            return "list"
        case ast.Dict(keys=[]):
            return "dict"
    return ""


_READERS = (
    *("all", "any", "dict", "enumerate", "frozenset", "list", "max", "min", "set", "sorted"),
    *("sum", "tuple"),
)
ENDING = frozenset({"StopIteration", "StopAsyncIteration", "next", "__next__", "throw", "send"})
"""Words that code needs to end an iteration here.

`map` lets a StopIteration through, but a generator turns it into another error.
"""


def mapped(node: ast.expr, context: Context) -> ast.GeneratorExp | None:
    """Return `map(lambda x: ..., y)` as a generator, or None for other expressions."""
    match node:
        case ast.Call(func=function, args=[ast.Lambda(args=given, body=body), over], keywords=[]):
            pass
        case _:
            return None
    only = len(given.args) == 1 and not (given.posonlyargs or given.kwonlyargs)
    if not only or given.defaults or given.vararg or given.kwarg or isinstance(over, ast.Starred):
        return None
    if not context.is_builtin(function, "map") or not may_move_inside(body):
        return None
    if not is_pure(body, context) and context.facts.words & ENDING:
        return None
    target = ast.Name(given.args[0].arg, ast.Store())
    return ast.GeneratorExp(body, [ast.comprehension(target, over, [], 0)])


def read(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `map` into a generator in a call that consumes its argument before it returns."""
    if not node.args:
        return None
    reads = context.is_builtin(node.func, *_READERS) or _is_join(node.func)
    first = mapped(node.args[0], context) if reads else None
    if first is not None:
        context.took("map() as generators")
        return ast.Call(node.func, [first, *node.args[1:]], node.keywords)
    return None


def _is_join(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(value=ast.Constant(value=str()), attr="join"):
            return True
    return False


def unpacked(node: ast.Starred, context: Context) -> ast.AST | None:
    """Turn `map` into a generator in `f(*map(lambda x: ..., y))`, which consumes it before the
    call."""
    new = mapped(node.value, context) if isinstance(node.ctx, ast.Load) else None
    if new is None:
        return None
    context.took("map() as generators")
    return ast.Starred(new, node.ctx)


def gone_through(node: ast.For | ast.comprehension, context: Context) -> ast.AST | None:
    """Turn `map` into a generator where a loop consumes it."""
    if isinstance(node, ast.comprehension) and node.is_async:
        return None
    new = mapped(node.iter, context)
    if new is not None:
        context.took("map() as generators")
        node.iter = new
    return None
