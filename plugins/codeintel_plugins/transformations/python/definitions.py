"""The definitions of a module, and what their bodies return and raise."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import NamedTuple

from codeintel_plugins.transformations.python.words import shown_condition, shown_type

Function = ast.FunctionDef | ast.AsyncFunctionDef
_ACCESSORS = frozenset({"setter", "deleter", "getter"})
_PROPERTIES = frozenset(
    {"property", "cached_property", "abstractproperty", "hybrid_property", "classproperty"}
)
_MAX_NAMED = 8
_TRIES = (ast.Try, ast.TryStar)
_SWALLOWING = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})
OTHERWISE = "Under a condition that the body checks."
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_DISPLAYS: dict[type[ast.expr], str] = {
    ast.List: "list",
    ast.ListComp: "list",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.Tuple: "tuple",
    ast.JoinedStr: "str",
    ast.Compare: "",
}
_MAKERS = frozenset(
    {"bool", "dict", "float", "frozenset", "int", "len", "list", "set", "sorted", "str", "tuple"}
    | {"isinstance", "repr", "all", "any", "callable", "hasattr"}
)
_MADE = {"len": "int", "sorted": "list", "repr": "str"} | dict.fromkeys(
    ("isinstance", "all", "any", "callable", "hasattr", "issubclass"), "bool"
)
_ITERATED = frozenset(
    {"Iterator", "Iterable", "Generator", "AsyncIterator", "AsyncIterable", "AsyncGenerator"}
)


class Definition(NamedTuple):
    """A definition and its context: the class directly around it, and whether it is private. It
    is private if its name or that of an outer definition begins with an underscore, or if it is
    inside a function."""

    node: Function | ast.ClassDef
    owner: ast.ClassDef | None
    private: bool
    decorators: frozenset[str]

    @property
    def rule(self) -> str:
        """The id of the rule that describes it."""
        return f"docstring-{self.noun.replace(' ', '-')}"

    @property
    def noun(self) -> str:
        """What people call it."""
        node = self.node
        if isinstance(node, ast.ClassDef):
            return "class"
        if self.owner is None:
            return "function"
        if self.is_property:
            return "property"
        if node.name == "__init__":
            return "initializer"
        return "special method" if is_special(node.name) else "method"

    @property
    def is_property(self) -> bool:
        """Whether it is read as an attribute."""
        return self.owner is not None and not self.decorators.isdisjoint(_PROPERTIES)

    @property
    def is_accessor(self) -> bool:
        """Whether it writes or deletes a property, whose getter has the docstring."""
        return not self.decorators.isdisjoint(_ACCESSORS)

    @property
    def bases(self) -> tuple[str, ...]:
        """Return the last names of the base classes of the class or of the class around the
        definition."""
        of = self.node if isinstance(self.node, ast.ClassDef) else self.owner
        return tuple(last_name(base) for base in of.bases) if of is not None else ()


def definitions(tree: ast.Module) -> Iterator[Definition]:
    """Yield them in order of place."""
    stack: list[tuple[ast.stmt, ast.ClassDef | None, bool]] = [
        (statement, None, False) for statement in reversed(tree.body)
    ]
    while stack:
        node, owner, private = stack.pop()
        if isinstance(node, Function | ast.ClassDef):
            private = private or _is_private(node.name)
            names = frozenset(last_name(each) for each in node.decorator_list)
            yield Definition(node, owner, private, names)
            owner = node if isinstance(node, ast.ClassDef) else None
            private = private or owner is None
        stack.extend((inner, owner, private) for inner in reversed([*inner_statements(node)]))


def inner_statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements directly in a statement."""
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        inner = getattr(node, name, ())
        for each in inner if isinstance(inner, list) else ():
            if isinstance(each, ast.stmt):
                yield each
            else:
                yield from each.body


def last_name(node: ast.expr) -> str:
    """Return `c` of `a.b.c`, of `c(...)` and of `c[...]`, or an empty text."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_special(name: str) -> bool:
    """Return whether Python itself defines the meaning of a name."""
    return name.startswith("__") and name.endswith("__") and len(name) > 4


def _is_private(name: str) -> bool:
    return name.startswith("_") and not is_special(name)


class Raised(NamedTuple):
    """An exception, and when."""

    name: str
    when: str


class _Around(NamedTuple):
    """The context of a statement: when it is reached, and which handlers would catch an
    exception."""

    when: str = "Always."
    caught: frozenset[str] = frozenset()


def raised(node: Function) -> Iterator[Raised]:
    """Yield what a function raises with `raise`, each exception once."""
    local = _assigned(node)
    found: dict[str, set[str]] = {}
    for statement, around in _statements(node, local):
        if isinstance(statement, ast.Raise) and statement.exc is not None:
            name = _exception(statement.exc, local)
            if name and not _is_caught(name, around.caught):
                found.setdefault(name, set()).add(around.when)
    for name in list(found)[:_MAX_NAMED]:
        ways = found[name]
        yield Raised(name, ways.pop() if len(ways) == 1 else OTHERWISE)


def _statements(node: Function, local: frozenset[str]) -> Iterator[tuple[ast.stmt, _Around]]:
    parameters = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)} - local
    stack = [(each, _Around()) for each in reversed(node.body)]
    while stack:
        statement, around = stack.pop()
        yield statement, around
        if not isinstance(statement, _SCOPES):
            stack.extend(reversed([*_inside(statement, around, parameters)]))


def _inside(
    statement: ast.stmt, around: _Around, parameters: set[str]
) -> Iterator[tuple[ast.stmt, _Around]]:
    """Yield the statements in a statement, with what is around them."""
    unclear = around._replace(when=OTHERWISE)
    if isinstance(statement, ast.If):
        condition = shown_condition(statement.test, parameters)
        inside = around._replace(when=f"If ``{condition}``.") if condition else unclear
        yield from ((each, inside) for each in statement.body)
        yield from ((each, unclear) for each in statement.orelse)
    elif isinstance(statement, _TRIES):
        names = frozenset(
            name for each in statement.handlers for name in _handled(each.type) or ("",)
        )
        guarded = unclear._replace(caught=around.caught | names)
        yield from ((each, guarded) for each in statement.body)
        for handler in statement.handlers:
            handled = _handled(handler.type)
            when = f"If ``{handled[0]}`` is caught." if len(handled) == 1 else OTHERWISE
            inside = around._replace(when=when)
            yield from ((each, inside) for each in handler.body)
        yield from ((each, unclear) for each in (*statement.orelse, *statement.finalbody))
    elif isinstance(statement, ast.With | ast.AsyncWith):
        contexts = {last_name(each.context_expr) for each in statement.items}
        swallows = not contexts.isdisjoint(_SWALLOWING)
        inside = around._replace(caught=around.caught | {""}) if swallows else around
        yield from ((each, inside) for each in statement.body)
    else:
        yield from ((each, unclear) for each in inner_statements(statement))


def _handled(node: ast.expr | None) -> tuple[str, ...]:
    """Return the names of the exceptions that a handler catches; empty if it catches all."""
    if node is None:
        return ()
    each = node.elts if isinstance(node, ast.Tuple) else [node]
    return tuple(map(_dotted, each))


def _exception(node: ast.expr, local: frozenset[str]) -> str:
    """Return the name of an exception's class; empty if it is not certain that this is one."""
    name = _dotted(node.func if isinstance(node, ast.Call) else node)
    first, last = name.partition(".")[0], name.rpartition(".")[2]
    is_class = last.lstrip("_")[:1].isupper() and not last.isupper()
    return name if is_class and first not in (*local, "self", "cls") else ""


def _is_caught(name: str, caught: frozenset[str]) -> bool:
    """Return whether the exception may be caught where it is raised."""
    kind = getattr(builtins, name, None)
    for other in caught:
        handled = getattr(builtins, other, None) if other else None
        if not isinstance(kind, type) or not isinstance(handled, type) or issubclass(kind, handled):
            return True
    return False


def _dotted(node: ast.expr) -> str:
    """`a.b.c` as it is written; empty for anything else, and for more than four names."""
    names: list[str] = []
    while isinstance(node, ast.Attribute) and len(names) < 4:
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(names)])


def _assigned(node: Function) -> frozenset[str]:
    """Return the names that a function binds itself, including parameters that it changes."""
    return frozenset(
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store | ast.Del)
    ) | {each.name for each in ast.walk(node) if isinstance(each, ast.ExceptHandler) and each.name}


class Facts(NamedTuple):
    """The return value of a function.

    :param gives: `nothing`, `something` or `items`, if it yields them; `unknown` without a
        body.
    :param type: the type of the value or items, as code; empty if unknown.
    :param variable: the only variable that it returns; empty if there are several or none.
    """

    gives: str = "nothing"
    type: str = ""
    variable: str = ""
    raises: tuple[Raised, ...] = ()

    @classmethod
    def of(cls, definition: Definition) -> Facts:
        """Inspect a definition. A class returns nothing."""
        node = definition.node
        if isinstance(node, ast.ClassDef):
            return cls()
        own = list(_own_nodes(node))
        raises = tuple(raised(node))
        if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own):
            return cls("items", _item_type(node), "", raises)
        returned = [each.value for each in own if isinstance(each, ast.Return) and each.value]
        some = [each for each in returned if not _is_none(each)]
        if node.returns is not None:
            kind = shown_type(node.returns)
            empty = kind in ("None", "NoReturn", "Never") or (not kind and not some)
            return cls("nothing" if empty else "something", kind, _variable(some), raises)
        if not some:
            bare = all(isinstance(each, ast.Pass | ast.Expr | ast.Raise) for each in node.body)
            unknown = bare and not returned and not any(isinstance(e, ast.Call) for e in own)
            return cls("unknown" if unknown else "nothing", "", "", raises)
        types = [_type(each) for each in returned]
        certain = all(types) and not _may_fall_through(node.body)
        kind = " | ".join(dict.fromkeys(types)) if certain else ""
        return cls("something", kind, _variable(some), raises)


def _own_nodes(node: Function) -> Iterator[ast.AST]:
    """Yield the nodes of a body, without those of functions and classes in it."""
    stack: list[ast.AST] = list(reversed(node.body))
    while stack:
        each = stack.pop()
        if not isinstance(each, _SCOPES):
            yield each
            stack.extend(reversed([*ast.iter_child_nodes(each)]))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _item_type(node: Function) -> str:
    """Return the type of what a generator yields."""
    declared = node.returns
    if not isinstance(declared, ast.Subscript):
        return ""
    name = declared.value
    last = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
    if last not in _ITERATED:
        return ""
    inner = declared.slice
    first = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner
    return shown_type(first)


def _variable(returned: list[ast.expr]) -> str:
    names = {each.id if isinstance(each, ast.Name) else "" for each in returned}
    return names.pop() if len(names) == 1 else ""


def _type(node: ast.expr) -> str:
    """Return the certain type of an expression, or an empty text."""
    if isinstance(node, ast.Constant):
        return "None" if node.value is None else type(node.value).__name__
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return "bool"
    if isinstance(node, ast.Compare):
        plain = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
        return "bool" if all(isinstance(each, plain) for each in node.ops) else ""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        return _MADE.get(name, name) if name in _MAKERS else ""
    return _DISPLAYS.get(type(node), "")


def _may_fall_through(body: list[ast.stmt]) -> bool:
    """Return whether a body may end without `return` or `raise`, as far as is easily seen."""
    while True:
        last = body[-1]
        if isinstance(last, ast.Return | ast.Raise):
            return False
        if isinstance(last, ast.With | ast.AsyncWith) or not isinstance(last, ast.If):
            return True
        if not last.orelse or (last.body and _may_fall_through(last.body)):
            return True
        body = last.orelse
