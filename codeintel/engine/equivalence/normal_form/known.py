"""Names that can be looked up without an error wherever they stand."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context

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
"""Types that it has had for long."""


def is_there(node: ast.expr, context: Context) -> bool:
    """Whether a name is surely bound: where it is looked up earlier than before, or more often, it
    must not raise. Of attributes nobody knows, but for those of the standard library."""
    if not isinstance(node, ast.Name):
        return False
    name, facts = node.id, context.facts
    if context.means_builtin(name) or name in _OF_THE_STANDARD_LIBRARY:
        return True
    # What is imported by its name from the standard library, at the top.
    if name in facts.origins.values():
        return True
    return facts.is_bound_before(name, getattr(node, "lineno", 0))
