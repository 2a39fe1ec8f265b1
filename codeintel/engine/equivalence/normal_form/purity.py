"""Decide what evaluating an expression can do, and which names are always bound."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.python_trees import words

# Builtins without effects. The methods that they call on their arguments are assumed to have none.
_PURE = frozenset(
    words(
        "abs all any ascii bin bool bytes callable chr complex dict divmod enumerate float format"
        " frozenset getattr hasattr hash hex id int isinstance issubclass len list max min oct"
        " ord pow"
        " range repr reversed round set slice sorted str sum tuple type zip"
    )
)
# Methods that only strings, bytes, numbers and dates have, or that have no effects.
PURE_METHODS = frozenset(
    words(
        "capitalize casefold center count encode decode endswith expandtabs find format hex"
        " hexdigest"
        " isalnum isalpha isdecimal isdigit isidentifier islower isnumeric isspace istitle isupper"
        " isoformat join ljust lower lstrip removeprefix removesuffix rfind rindex rjust rpartition"
        " rsplit rstrip split splitlines startswith strftime strip swapcase title"
        " total_seconds upper"
        " zfill bit_length items keys values"
    )
)
_EFFECTS = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_MEMBERSHIP = (ast.In, ast.NotIn)
_GOING_THROUGH = frozenset(
    words("all any bytes dict enumerate frozenset list max min reversed set sorted sum tuple zip")
)
_COLLECTIONS = frozenset({"dict", "list", "set", "str"})
_DISPLAYS = (
    *(ast.Constant, ast.JoinedStr, ast.Tuple, ast.List, ast.Set, ast.Dict),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_FIXED = (ast.Constant, ast.JoinedStr, ast.Compare, ast.BinOp)
_NAMES = frozenset({"__name__", "__qualname__"})
UNCHANGING = frozenset({"str", "int", "float", "bool"})
"""Kinds of immutable values."""


def is_pure(node: ast.AST, context: Context) -> bool:
    """Return whether evaluating has no visible effect.

    It may still exhaust an iterator: see `is_repeatable`.
    """
    stack = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, _EFFECTS):
            return False
        if isinstance(each, ast.Call) and not _is_pure_call(each, context):
            return False
        if isinstance(each, ast.Attribute) and each.attr in context.facts.acting:
            return False
        if not isinstance(each, ast.Lambda):
            stack.extend(ast.iter_child_nodes(each))
    return True


def _is_pure_call(node: ast.Call, context: Context) -> bool:
    function = node.func
    if isinstance(function, ast.Attribute):
        name, facts = function.attr, context.facts
        if name == "join":  # threads and queues have another one
            return context.kind(function.value) == "str"
        is_own = name in facts.bound_in_classes or name in facts.replaced
        return name in PURE_METHODS and not is_own
    return context.is_builtin(function, *_PURE)


def is_repeatable(node: ast.AST, context: Context) -> bool:
    """Return whether evaluating has no effect and yields an equal value again.

    An exhausted iterator is empty the next time.
    """
    if not is_pure(node, context):
        return False
    for each in ast.walk(node):
        match each:
            case ast.Call(func=ast.Name(id=name), args=given) if name in _GOING_THROUGH:
                over = [] if name in {"max", "min"} and len(given) > 1 else given
            case ast.Call(func=ast.Attribute(attr="join"), args=given):
                over = given
            case ast.comprehension(iter=source) | ast.Starred(value=source):
                over = [source]
            case ast.Compare(ops=operators, comparators=comparators):
                pairs = zip(operators, comparators, strict=True)
                over = [right for operator, right in pairs if isinstance(operator, _MEMBERSHIP)]
            case _:
                continue
        if not all(_is_no_iterator(source, context) for source in over):
            return False
    return True


def _is_no_iterator(node: ast.expr, context: Context) -> bool:
    """Return whether a value can be iterated more than once, or is a new one each time."""
    if isinstance(node, _DISPLAYS) or context.kind(node) in _COLLECTIONS:
        return True
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in {"split", "rsplit", "splitlines", "keys", "values", "items"}
        case ast.Call(func=function):
            return context.is_builtin(function, *_GOING_THROUGH, "range")
    return False


def is_simple(node: ast.AST) -> bool:
    """Return whether a node is a name or a constant, or an attribute or item of one."""
    if isinstance(node, ast.Attribute | ast.Subscript):
        parts = [node.value] if isinstance(node, ast.Attribute) else [node.value, node.slice]
        return all(is_simple(part) for part in parts)
    return isinstance(node, ast.Name | ast.Constant)


def is_reckoned(node: ast.AST, context: Context) -> bool:
    """Return whether a node is simple, or arithmetic or a length of simple ones, so that it may
    be evaluated again."""
    match node:
        case ast.Attribute(value=value, attr=name):
            return name not in context.facts.acting and is_reckoned(value, context)
        case ast.Subscript(value=value, slice=index):
            return is_reckoned(value, context) and is_reckoned(index, context)
        case ast.BinOp(left=left, right=right):
            return is_reckoned(left, context) and is_reckoned(right, context)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert(), operand=operand):
            return is_reckoned(operand, context)
        case ast.Call(func=function, args=[only], keywords=[]):
            known = context.is_builtin(function, "len", "abs", "ord", "int", "float", "str")
            return known and is_reckoned(only, context)
    return isinstance(node, ast.Name | ast.Constant)


def may_interleave(nodes: list[ast.expr], context: Context) -> bool:
    """Return whether values may be used one by one instead of all together at the end.

    No later evaluation may change an earlier value.
    """
    changing = [place for place, node in enumerate(nodes) if not is_pure(node, context)]
    if not changing:
        return True
    for place in changing:
        later = _roots(nodes[place])
        for node in nodes[:place]:
            if not _is_fixed(node, context) and _roots(node) & later:
                return False
    return True


def _is_fixed(node: ast.expr, context: Context) -> bool:
    """Return whether nothing else can change the value."""
    if isinstance(node, ast.Attribute) and node.attr in _NAMES:
        return True
    return isinstance(node, _FIXED) or context.kind(node) in UNCHANGING


def _roots(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def mentions(node: ast.AST | list[ast.stmt], name: str) -> bool:
    """Return whether a name is read or written within a node."""
    nodes: list[ast.AST] = list(node) if isinstance(node, list) else [node]
    return any(
        isinstance(each, ast.Name) and each.id == name for top in nodes for each in ast.walk(top)
    )


def has(node: ast.AST, *kinds: type[ast.AST]) -> bool:
    """Return whether a node contains one of these node types."""
    return any(isinstance(each, kinds) for each in ast.walk(node))


def may_move_inside(node: ast.AST) -> bool:
    """Return whether an expression means the same inside a comprehension or a generator.

    It must not suspend the function, bind names, end an iteration or need the frame.
    """
    for each in ast.walk(node):
        if isinstance(each, (*_EFFECTS, ast.Lambda)):
            return False
        if isinstance(each, ast.Name) and each.id in {"next", "super", "__class__", "locals"}:
            return False
        if isinstance(each, ast.Attribute) and each.attr in {"__next__", "next", "send"}:
            return False
    return True


_TYPES = {
    "collections": "OrderedDict defaultdict deque Counter ChainMap UserDict UserList",
    "collections.abc": "Mapping MutableMapping Sequence MutableSequence Set Iterable Iterator"
    " Callable Generator Hashable Collection Sized Container Awaitable Coroutine",
    "datetime": "date datetime time timedelta tzinfo timezone",
    "decimal": "Decimal",
    "enum": "Enum IntEnum",
    "fractions": "Fraction",
    "io": "StringIO BytesIO TextIOBase BufferedIOBase RawIOBase IOBase TextIOWrapper",
    "numbers": "Number Complex Real Rational Integral",
    "pathlib": "Path PurePath",
    "types": "FunctionType MethodType GeneratorType ModuleType LambdaType SimpleNamespace",
    "uuid": "UUID",
}
_ERRORS = {
    "asyncio": "CancelledError InvalidStateError QueueEmpty QueueFull IncompleteReadError",
    "binascii": "Error",
    "configparser": "Error NoSectionError NoOptionError ParsingError",
    "csv": "Error",
    "decimal": "InvalidOperation DivisionByZero DecimalException",
    "json": "JSONDecodeError",
    "pickle": "PickleError PicklingError UnpicklingError",
    "queue": "Empty Full",
    "re": "error",
    "shutil": "Error SameFileError",
    "socket": "gaierror herror",
    "struct": "error",
    "subprocess": "CalledProcessError TimeoutExpired SubprocessError",
    "tarfile": "TarError ReadError",
    "urllib.error": "URLError HTTPError",
    "xml.etree.ElementTree": "ParseError",
    "zipfile": "BadZipFile",
    "zlib": "error",
}
_OF_THE_STANDARD_LIBRARY = frozenset(
    f"{module}.{name}"
    for names_by_module in (_TYPES, _ERRORS)
    for module, names in names_by_module.items()
    for name in names.split()
)
"""Types that the standard library has had for a long time."""


def is_there(node: ast.expr, context: Context) -> bool:
    """Return whether a name is always bound, so that an additional or earlier lookup cannot raise.

    Attributes are only known for the standard library.
    """
    if not isinstance(node, ast.Name):
        return False
    name, facts = node.id, context.facts
    if context.means_builtin(name) or name in _OF_THE_STANDARD_LIBRARY:
        return True
    # Names imported from the standard library at the top.
    if name in facts.origins.values():
        return True
    return facts.is_bound_before(name, getattr(node, "lineno", 0))
