"""The summary of a file: what other files of a project need to know about its functions.

All types are plain structures without offsets into a text, so that a summary can be stored as
MessagePack and linked without its file. They have names, types, places and fixed words, but no
other code of the file: expressions are stored as digests.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

VERSION = 4
"""Changes whenever an unchanged file gets another summary. Part of the key of a cache."""


class Place(msgspec.Struct, frozen=True, array_like=True, order=True):
    """A range of a file. Lines and columns count from 1, in code points, and the end is
    exclusive.
    """

    line: int
    column: int
    end_line: int
    end_column: int


class AtomKind(StrEnum):
    """The origin of a value, as far as one file can tell."""

    REMOTE = "remote"
    LOCAL = "local"
    PARAMETER = "parameter"
    """A parameter of a function of this file. `index` is its number in the list of all."""
    RESULT = "result"
    """The result of a call or a read. `index` is its number among the sites of the file."""


SOURCES = frozenset({AtomKind.REMOTE, AtomKind.LOCAL})


class PathStep(msgspec.Struct, frozen=True, array_like=True):
    """A step on the path of a value in one file."""

    place: Place
    text: str


class Atom(msgspec.Struct, frozen=True, array_like=True):
    """One origin of a value.

    `clean` are the classes of sinks that the value cannot harm. `via` are the sites whose calls it
    passed through, `checks` those whose calls may have checked it.
    """

    kind: AtomKind
    index: int
    what: str
    clean: tuple[str, ...]
    steps: tuple[PathStep, ...]
    via: tuple[int, ...] = ()
    checks: tuple[int, ...] = ()


class SiteKind(StrEnum):
    """The way a file uses a name of another file."""

    CALL = "call"
    READ = "read"
    RENDER = "render"
    """A template gets values. The target is its name, and the keywords are its variables."""
    ROUTE = "route"
    """A framework calls a function with values from requests."""


class GivenValue(msgspec.Struct, frozen=True, array_like=True):
    """The value of an argument, with its keyword if it has one."""

    keyword: str | None
    atoms: tuple[Atom, ...]


class Site(msgspec.Struct, frozen=True, array_like=True):
    """A use of a function, class or variable that the file does not define.

    `target` is a dotted name as the file sees it, such as `store.read`, `Handler.disk.load` or
    `?.save` if the type of the object is unknown. `()` behind a part means its result.
    """

    kind: SiteKind
    target: str
    place: Place
    args: tuple[GivenValue, ...] = ()
    count: int = 0
    """The number of arguments."""
    receiver: tuple[Atom, ...] = ()
    """The value of the object whose method is called."""
    passes: bool = False
    """Whether the result stands for all values that the call gets if its function is unknown."""


class Parameter(msgspec.Struct, frozen=True, array_like=True):
    """A parameter. `type` is its declared type, if any. `self` is not a parameter."""

    name: str
    type: str = ""


class FunctionSummary(msgspec.Struct, frozen=True, array_like=True):
    """A function or method.

    `first` is the number of its first parameter in the list of all parameters of the file.
    `returns` is the value that it returns. `makes` is the type of its result, if it is known.
    `checks` says that it only answers yes or no about its arguments, or raises if they are bad.
    """

    name: str
    owner: str
    first: int
    parameters: tuple[Parameter, ...]
    returns: tuple[Atom, ...]
    makes: str = ""
    has_body: bool = True
    checks: bool = False


class ClassSummary(msgspec.Struct, frozen=True, array_like=True):
    """A class, interface, struct or module. `fields` are the names and types of its fields."""

    name: str
    bases: tuple[str, ...]
    fields: dict[str, str]
    is_open: bool = False
    """Whether it is an interface or abstract, so that other classes have its code."""


class Import(msgspec.Struct, frozen=True, array_like=True):
    """A name from elsewhere: `name` of `module`, or the module itself if `name` is empty.

    `local` is `*` for all names of the module.
    """

    local: str
    module: str
    name: str


class SinkHit(msgspec.Struct, frozen=True, array_like=True):
    """A value from another file reaches a sink. `call` is the sink's place, `argument` the value's.

    `value` and `function` are the names of the value and of the called function. They are empty for
    expressions without a short name. `digest` is that of the code of both. `kinds` are the origins
    that are harmful there.
    """

    sink: str
    what: str
    call: Place
    argument: Place
    value: str
    function: str
    digest: str
    kinds: tuple[str, ...]
    atoms: tuple[Atom, ...]
    site: int = -1
    """The number of the site if the call may be one of a function of the project."""


class Write(msgspec.Struct, frozen=True, array_like=True):
    """A value is put into a variable or field, by its dotted name as the file sees it."""

    target: str
    atoms: tuple[Atom, ...]


class Reported(msgspec.Struct, frozen=True, array_like=True):
    """A finding of the file alone."""

    sink: str
    call: Place


class Output(msgspec.Struct, frozen=True, array_like=True):
    """A variable that a template writes without escaping."""

    variable: str
    place: Place


class FileSummary(msgspec.Struct, frozen=True):
    """The facts about a file that linking needs.

    `package` is its package or namespace, `variables` the types of its variables, and `exports`
    the other names of what it exports, which is in the file itself if `module` is empty.
    """

    language: str
    version: Annotated[int, Meta(ge=1)] = VERSION
    package: str = ""
    imports: tuple[Import, ...] = ()
    exports: tuple[Import, ...] = ()
    functions: tuple[FunctionSummary, ...] = ()
    classes: tuple[ClassSummary, ...] = ()
    variables: dict[str, str] = {}
    sites: tuple[Site, ...] = ()
    hits: tuple[SinkHit, ...] = ()
    writes: tuple[Write, ...] = ()
    reported: tuple[Reported, ...] = ()
    outputs: tuple[Output, ...] = ()
    unfinished: str = ""
    """Why the analysis of the file stopped early, or an empty text."""
