"""List what is public in Python: names, each with how it is called or constructed."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from codeintel.engine.equivalence.python_trees import read


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CALLING = _listed("""staticmethod classmethod property cached_property abstractproperty setter
    getter deleter contextmanager asynccontextmanager singledispatch singledispatchmethod
    hybrid_property""")
_MAKING = frozenset({"dataclass", "define", "frozen", "attrs", "total_ordering"})
_RECORDS = frozenset({"NamedTuple", "TypedDict", "BaseModel", "Struct"})
_NEWER = {
    **{name: name.lower() for name in ("List", "Dict", "Set", "FrozenSet", "Tuple", "Type")},
    **dict.fromkeys(("IOError", "EnvironmentError", "WindowsError"), "OSError"),
}
_SOME = "something"


def signature(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> str:
    """Return the parameters with their kinds and constant defaults, and the decorators that
    change calls."""
    parts = [*_parameters(node.args)]
    if isinstance(node, ast.Lambda):
        return f"({', '.join(parts)})"
    names = [last_name(each) for each in node.decorator_list]
    marks = [name for name in names if name in _CALLING]
    marks += ["async"] if isinstance(node, ast.AsyncFunctionDef) else []
    return " ".join([*marks, f"({', '.join(parts)})"])


def class_detail(node: ast.ClassDef) -> str:
    """Return the bases and, for records, the fields in the order of the constructor."""
    bases = [_NEWER.get(name, name) for name in map(last_name, node.bases) if name != "object"]
    made = [each for each in node.decorator_list if last_name(each) in _MAKING]
    parts = [*bases, *(ast.dump(each) for each in sorted(made, key=last_name))]
    if made or not _RECORDS.isdisjoint(bases):
        parts += [
            f"{each.target.id}{_default(each.value)}"
            for each in node.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        ]
    return f"class ({', '.join(parts)})"


def last_name(node: ast.expr) -> str:
    """Return `c` for `a.b.c`, `c(...)` and `c[...]`, or an empty string."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _parameters(arguments: ast.arguments) -> Iterator[str]:
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = len(positional) - len(arguments.defaults)
    for index, each in enumerate(positional):
        default = arguments.defaults[index - missing] if index >= missing else None
        yield each.arg + _default(default)
        if index + 1 == len(arguments.posonlyargs):
            yield "/"
    if arguments.vararg or arguments.kwonlyargs:
        yield f"*{arguments.vararg.arg if arguments.vararg else ''}"
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield each.arg + _default(default)
    if arguments.kwarg:
        yield f"**{arguments.kwarg.arg}"


def _default(node: ast.expr | None) -> str:
    """Return a text for a default that includes its value if it is constant, or an empty string."""
    if node is None:
        return ""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return f"={_SOME}"
    plain = isinstance(value, str | bytes | int | float | complex | bool | None)
    shown = hex(value) if isinstance(value, int) else repr(value)
    return f"={type(value).__name__}:{shown}" if plain else f"={_SOME}"


VALUE = "value"
_OF_NO_ACCOUNT = frozenset({"__all__", "__metaclass__", "__slots__"})
"""`__all__` is compared by the names it lists. The others mean nothing to a caller."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_PLUMBING = sys.stdlib_module_names | {"typing_extensions", "six", "__future__"}
_Member = tuple[str, str]
_BLOCKS = (ast.If, ast.Try, ast.TryStar, ast.With, ast.For, ast.While, ast.Match)


def public(code: str) -> dict[str, str] | None:
    """Return the public names of a module and its classes, or None if the code cannot be read."""
    tree = read(code)
    if tree is None:
        return None
    exported = frozenset(_exported(tree))
    details: dict[str, set[str]] = {}
    try:
        for name, detail in _members(tree.body, "", exported):
            details.setdefault(name, set()).add(detail)
    except RecursionError:
        return None
    if exported:
        details["__all__"] = {" ".join(sorted(exported))}
    return {name: " or ".join(sorted(several)) for name, several in details.items()}


def _members(body: list[ast.stmt], prefix: str, exported: frozenset[str]) -> Iterator[_Member]:
    for statement in _statements(body):
        if isinstance(statement, _FUNCTIONS):
            if _is_public(statement.name, exported) and not _is_overload(statement):
                yield prefix + statement.name, signature(statement)
        elif isinstance(statement, ast.ClassDef):
            if _is_public(statement.name, exported):
                inner = f"{prefix}{statement.name}."
                yield prefix + statement.name, class_detail(statement)
                yield from _members(statement.body, inner, frozenset())
                yield from ((inner + name, "attribute") for name in _instance_names(statement))
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            if not prefix:
                yield from ((name, "import") for name in _imported(statement, exported))
        else:
            for name, value in _assigned(statement):
                if _is_public(name, exported) and name not in _OF_NO_ACCOUNT:
                    lambdas = isinstance(value, ast.Lambda)
                    yield prefix + name, signature(value) if lambdas else VALUE  # type: ignore[arg-type]


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a scope, including those in blocks but not the main block."""
    stack = list(reversed(body))
    while stack:
        statement = stack.pop()
        if isinstance(statement, _BLOCKS) and not _is_main(statement):
            inner = [
                each
                for name in ("body", "orelse", "finalbody")
                for each in getattr(statement, name, ())
            ]
            for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
                inner += part.body
            stack.extend(reversed(inner))
        else:
            yield statement


def _is_main(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(statement.test)
    )


def _assigned(statement: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the plain names that a statement binds, each with its value."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            several = isinstance(target, ast.Tuple | ast.List)
            for node in ast.walk(target) if several else (target,):
                if isinstance(node, ast.Name):
                    yield node.id, None if several else statement.value
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        yield statement.target.id, statement.value


def _instance_names(node: ast.ClassDef) -> set[str]:
    """Return the public attributes that methods assign on `self`."""
    return {
        each.attr
        for method in node.body
        if isinstance(method, _FUNCTIONS)
        for each in ast.walk(method)
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
        if isinstance(each.value, ast.Name) and each.value.id == "self"
        if not each.attr.startswith("_")
    }


def _imported(statement: ast.Import | ast.ImportFrom, exported: frozenset[str]) -> Iterator[str]:
    """Yield the imported names that other modules can import from here.

    These are exported names, names renamed to themselves, and imports that are not part of the
    standard library.
    """
    relative = isinstance(statement, ast.ImportFrom) and statement.level > 0
    for each in statement.names:
        module = each.name if isinstance(statement, ast.Import) else statement.module or ""
        name = each.asname or each.name.partition(".")[0]
        foreign = relative or module.partition(".")[0] not in _PLUMBING
        meant = name in exported or each.asname == each.name
        if meant or (foreign and not name.startswith("_")):
            yield name


def _exported(tree: ast.Module) -> Iterator[str]:
    """Yield the names in `__all__`."""
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else ()
        target = statement.target if isinstance(statement, ast.AugAssign | ast.AnnAssign) else None
        if any(isinstance(each, ast.Name) and each.id == "__all__" for each in (*targets, target)):
            value = statement.value  # type: ignore[attr-defined]
            for node in ast.walk(value) if value is not None else ():
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


def _is_public(name: str, exported: frozenset[str]) -> bool:
    special = name.startswith("__") and name.endswith("__")
    return not name.startswith("_") or special or name in exported


def _is_overload(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(last_name(each) == "overload" for each in node.decorator_list)
