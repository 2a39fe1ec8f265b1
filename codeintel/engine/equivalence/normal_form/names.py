"""Normalize names of the same thing: imports, and spellings of types.

A name that only standard library imports bind is written in full, such as `os.path.join`. How it
was imported then no longer matters, and unused imports vanish. Types are taken as equal if the
program does not read its own annotations: type checkers and frameworks read `Optional[int]` and
`int | None` the same.
"""

from __future__ import annotations

import ast
import builtins
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.facts import brought
from codeintel.engine.equivalence.python_trees import words

_ALIASES = {
    "socket.error": "OSError",
    "select.error": "OSError",
    "os.error": "OSError",
    "mmap.error": "OSError",
    "IOError": "OSError",
    "EnvironmentError": "OSError",
    "socket.timeout": "TimeoutError",
    "asyncio.TimeoutError": "TimeoutError",
    "concurrent.futures.TimeoutError": "TimeoutError",
    "io.open": "open",
    "datetime.timezone.utc": "datetime.UTC",
    "typing.Text": "str",
    "re.I": "re.IGNORECASE",
    "re.M": "re.MULTILINE",
    "re.S": "re.DOTALL",
    "re.X": "re.VERBOSE",
    "re.A": "re.ASCII",
    "re.L": "re.LOCALE",
    "re.U": "re.UNICODE",
    "re.T": "re.TEMPLATE",
    "xml.etree.cElementTree": "xml.etree.ElementTree",
}
"""Names of the same object."""
_LIBRARY = Path(sysconfig.get_path("stdlib"))
_BORN = frozenset(
    words(
        "nested_scopes generators division absolute_import with_statement print_function"
        " unicode_literals generator_stop"
    )
)
_NEVER_REORDERED = frozenset({"gevent", "eventlet", "monkey", "patch_all", "future", "builtins"})
_TESTS = {
    "assertEquals": "assertEqual",
    "assertNotEquals": "assertNotEqual",
    "assert_": "assertTrue",
    "failUnless": "assertTrue",
    "failIf": "assertFalse",
    "failUnlessEqual": "assertEqual",
    "failIfEqual": "assertNotEqual",
    "assertAlmostEquals": "assertAlmostEqual",
    "assertNotAlmostEquals": "assertNotAlmostEqual",
    "assertRegexpMatches": "assertRegex",
    "assertNotRegexpMatches": "assertNotRegex",
    "assertRaisesRegexp": "assertRaisesRegex",
    "assertItemsEqual": "assertCountEqual",
}


def in_full(node: ast.Name, context: Context) -> ast.AST | None:
    """Replace a name with its full name.

    The name of a module ends with a colon, which no name in a program does.
    """
    if not isinstance(node.ctx, ast.Load):
        return None
    origin = context.facts.origins.get(node.id)
    if origin is not None and context.is_visible(node.id):
        return _known(origin, context) if "." in origin else ast.Name(f"{origin}:", ast.Load())
    if node.id in {"IOError", "EnvironmentError"} and context.means_builtin(node.id):
        return _known(node.id, context)
    return None


def attribute(node: ast.Attribute, context: Context) -> ast.AST | None:
    """Resolve an attribute of a full name."""
    if isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
        owner = node.value.id
        if "." in owner or owner.endswith(":"):
            name = f"{owner.removesuffix(':')}.{node.attr}"
            if name in context.facts.patched:
                return None
            # It is looked up at each call, because tests replace it.
            return ast.Name(name, ast.Load()) if name == "io.open" else _known(name, context)
    newer = _TESTS.get(node.attr)
    of_test = isinstance(node.value, ast.Name) and node.value.id == "self"
    of_test = of_test and "TestCase" in context.facts.words
    if newer and of_test and node.attr not in context.facts.bound_in_classes:
        context.took("names of unittest's methods")
        return ast.Attribute(node.value, newer, node.ctx)
    return None


def _known(name: str, context: Context) -> ast.Name:
    new = name.removeprefix("builtins.")
    new = _ALIASES.get(new, new)
    if "." not in new and new != name and not context.means_builtin(new):
        return ast.Name(name, ast.Load())
    if new != name:
        context.took("aliases of one object")
    return ast.Name(new, ast.Load())


def sorted_blocks(body: list[ast.stmt], context: Context) -> list[ast.stmt]:
    """Normalize the imports of a module: sort each block, with one statement per name.

    Drop standard library imports, whose names are written in full.
    """
    done: list[ast.stmt] = []
    block: list[ast.Import | ast.ImportFrom] = []
    for statement in body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            block.append(statement)
        else:
            done.extend(_block(block, context))
            block = []
            done.append(statement)
    return [*done, *_block(block, context)]


def _block(block: Iterable[ast.Import | ast.ImportFrom], context: Context) -> list[ast.stmt]:
    facts = context.facts
    kept: list[tuple[str, ast.stmt]] = []
    means: dict[str, set[str]] = {}
    for node in block:
        for alias, (bound, origin) in zip(node.names, brought(node), strict=True):
            of_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
            if of_future and alias.name in _BORN and bound not in facts.reads:
                context.took("features that every Python version has")
                continue
            if facts.origins.get(bound) == origin:
                # A submodule also becomes an attribute.
                if isinstance(node, ast.Import) and "." in alias.name:
                    kept.append((_key(node, alias, origin), _one(node, alias)))
                elif origin.rpartition(".")[0] in facts.origins.values() and _is_module(origin):
                    new = ast.Import([ast.alias(origin)])
                    kept.append((_key(new, new.names[0], origin), new))
                continue
            kept.append((_key(node, alias, origin), _one(node, alias)))
            means.setdefault(bound, set()).add(origin)
    clear = all(len(origins) == 1 for origins in means.values())
    if kept and clear and not facts.words & _NEVER_REORDERED:
        kept = sorted(dict(kept).items(), key=lambda pair: pair[0])
        context.took("the order of imports")
    return [statement for _, statement in kept]


def _is_module(name: str) -> bool:
    """Return whether a full name is a standard library module inside a package."""
    path = _LIBRARY.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def _key(node: ast.Import | ast.ImportFrom, alias: ast.alias, origin: str) -> str:
    """Return the sort key of an imported name."""
    name = alias.name if isinstance(node, ast.Import) else origin
    return f"{name} {alias.asname or ''} {isinstance(node, ast.Import)}"


def _one(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> ast.stmt:
    renamed = None if alias.asname == alias.name else alias.asname
    one = ast.alias(alias.name, renamed)
    if isinstance(node, ast.Import):
        return ast.Import([one])
    return ast.ImportFrom(node.module, [one], node.level)


_BUILTIN = {
    f"typing.{old}": new
    for old, new in {
        "List": "list",
        "Dict": "dict",
        "Set": "set",
        "FrozenSet": "frozenset",
        "Tuple": "tuple",
        "Type": "type",
        "Text": "str",
        "DefaultDict": "collections.defaultdict",
        "OrderedDict": "collections.OrderedDict",
        "Counter": "collections.Counter",
        "ChainMap": "collections.ChainMap",
        "Deque": "collections.deque",
        "Pattern": "re.Pattern",
        "Match": "re.Match",
        "AbstractSet": "collections.abc.Set",
        "ContextManager": "contextlib.AbstractContextManager",
        "AsyncContextManager": "contextlib.AbstractAsyncContextManager",
    }.items()
}
_ABSTRACT = words(
    "AsyncGenerator AsyncIterable AsyncIterator Awaitable ByteString Callable Collection Container"
    " Coroutine Generator Hashable ItemsView Iterable Iterator KeysView Mapping MappingView"
    " MutableMapping MutableSequence MutableSet Reversible Sequence Sized ValuesView"
)
SPELLINGS = {**_BUILTIN, **{f"typing.{name}": f"collections.abc.{name}" for name in _ABSTRACT}}
_OWNERS = frozenset({"typing", "typing_extensions", "collections.abc"})
_GENERIC = ("list", "dict", "set", "frozenset", "tuple", "type")
_FACTORIES = frozenset(
    {"threading.Lock", "threading.RLock", "collections.namedtuple", "typing.NamedTuple"}
)
_TAKING = {"typing.cast": 0, "typing.NewType": 1}
"""Functions with an argument that only counts as a type, with its position."""


def spelled(node: ast.Name, context: Context) -> ast.AST | None:
    """Turn `typing.List` into `list`."""
    spelling = SPELLINGS.get(node.id)
    if spelling is None or context.in_bases or context.facts.introspects or not context.in_types:
        return None
    if "." not in spelling and not context.means_builtin(spelling):
        return None
    context.took("spellings of types")
    return ast.Name(spelling, ast.Load())


def subscripted(node: ast.Subscript, context: Context) -> ast.AST | None:
    """Turn `Optional[X]` into `X | None`, and `Union[X, Y]` into `X | Y`."""
    if not isinstance(node.value, ast.Name) or context.facts.introspects or context.in_bases:
        return None
    if not context.in_types:
        return None
    if node.value.id == "typing.Optional":
        members = [node.slice, ast.Constant(None)]
    elif node.value.id == "typing.Union":
        inside = node.slice
        members = list(inside.elts) if isinstance(inside, ast.Tuple) else [inside]
    else:
        return _defaults(node, context)
    if any(isinstance(member, ast.Starred) for member in members):
        return None
    if not _may_be_joined(members, context):
        return None
    context.took("unions of types")
    union = members[0]
    for member in members[1:]:
        union = ast.BinOp(union, ast.BitOr(), member)
    return _union(union, context) if isinstance(union, ast.BinOp) else union


def is_alias(node: ast.Assign | ast.AnnAssign, context: Context) -> bool:
    """Return whether an assignment names a parameterized type.

    The alias is an object like any other, but code that reads it as a type sees no difference.
    """
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if len(targets) != 1 or not isinstance(targets[0], ast.Name) or node.value is None:
        return False
    value = node.value
    while isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr):
        value = value.left
    if not isinstance(value, ast.Subscript):
        return False
    owner = _in_full(value.value, context)
    return owner.rpartition(".")[0] in _OWNERS or context.is_builtin(value.value, *_GENERIC)


def place_of_type(node: ast.Call, context: Context) -> int | None:
    """Return the position of the argument that a call reads as a type."""
    if any(isinstance(each, ast.Starred) for each in node.args):
        return None
    if context.is_builtin(node.func, "isinstance", "issubclass"):
        return 1
    return _TAKING.get(_in_full(node.func, context))


def _in_full(node: ast.expr, context: Context) -> str:
    """Return the full name of a standard library member, or an empty string."""
    if isinstance(node, ast.Attribute):
        owner = _in_full(node.value, context)
        return f"{owner}.{node.attr}" if owner else ""
    if isinstance(node, ast.Name) and context.is_visible(node.id):
        return context.facts.origins.get(node.id, "")
    return ""


def _may_be_joined(members: list[ast.expr], context: Context) -> bool:
    """Return whether `|` can be evaluated.

    It fails on a quoted type unless the annotation is never evaluated.
    """
    if context.in_annotation and context.has_lazy_annotations:
        return True
    if len(members) > 1 and all(_is_none(member) for member in members[:2]):
        return False
    return all(_may_be_type(member, context) for member in members)


def _may_be_type(node: ast.expr, context: Context) -> bool:
    """Return whether a member can be a type.

    `typing` also accepts strings and functions, but `|` does not. People write `any` for `Any`, and
    `threading.Lock` can be a function.
    """
    if context.kind(node) == "str":
        return False
    if not isinstance(node, ast.Name):
        return True
    name = node.id
    if context.means_builtin(name):
        return isinstance(getattr(builtins, name), type)
    return name not in context.facts.functions | _FACTORIES


def _union(node: ast.BinOp, context: Context) -> ast.AST:
    return united(node, context) or node


def united(node: ast.BinOp, context: Context) -> ast.AST | None:
    """Flatten `(X | Y) | Z` and `X | (Y | Z)` in annotations, without duplicates."""
    if not isinstance(node.op, ast.BitOr) or not context.in_annotation:
        return None
    members: list[ast.expr] = []
    stack: list[ast.expr] = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.BitOr):
            stack.extend((each.right, each.left))
        else:
            members.append(each)
    # The result is not an operator, so it is not split again.
    return ast.Subscript(ast.Name("| of types", ast.Load()), ast.Tuple(members, ast.Load()))


def _defaults(node: ast.Subscript, context: Context) -> ast.AST | None:
    """Turn `Generator[X, None, None]` into `Generator[X]`."""
    if not isinstance(node.value, ast.Name) or not isinstance(node.slice, ast.Tuple):
        return None
    last = {"Generator": 2, "AsyncGenerator": 1}.get(node.value.id.rpartition(".")[2], 0)
    elements = node.slice.elts
    if not last or node.value.id.rpartition(".")[0] != "collections.abc":
        return None
    while len(elements) > 1 and _is_none(elements[-1]):
        elements = elements[:-1]
    if len(elements) == len(node.slice.elts):
        return None
    context.took("defaults of types")
    inside = elements[0] if len(elements) == 1 else ast.Tuple(elements, ast.Load())
    return ast.Subscript(node.value, inside, ast.Load())


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def unquoted(node: ast.expr, context: Context) -> ast.expr:
    """Remove the quotes in an annotation that is never evaluated."""
    lazy = context.has_lazy_annotations and not context.facts.introspects
    if not lazy or not any(isinstance(each, ast.Constant) for each in ast.walk(node)):
        return node
    return _Unquoting(context).visit(node)  # type: ignore[no-any-return]


class _Unquoting(ast.NodeTransformer):
    def __init__(self, context: Context) -> None:
        self._context = context

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.value, ast.Name | ast.Attribute):
            name = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
            if name in {"Literal", "Annotated"}:
                return node
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, str):
            return node
        try:
            inside = ast.parse(node.value.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            return node
        self._context.took("quoted annotations")
        return inside
