"""Collect facts about a whole program: the meaning of names, and what the program does not do."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from codeintel.engine.equivalence.python_trees import words

# Modules whose import has an effect, may fail on another machine, or warns.
_NOT_HARMLESS = frozenset(
    words(
        "__main__ antigravity asynchat asyncore cgi cgitb crypt curses dbm distutils fcntl grp"
        " idlelib"
        " imp lib2to3 msilib msvcrt nis nntplib nt ossaudiodev posix pty pwd readline resource"
        " rlcompleter site smtpd spwd sqlite3 ssl syslog telnetlib termios this tkinter tty turtle"
        " turtledemo winreg winsound xdrlib __future__"
    )
)
HARMLESS = frozenset(sys.stdlib_module_names) - _NOT_HARMLESS
"""Standard library modules whose import makes no difference."""

# Modules whose star imports do not shadow builtins.
_STARS = frozenset({"tkinter", "math", "typing", "turtle", "random", "ctypes", "struct", "time"})
_DYNAMIC = frozenset(
    words(
        "globals locals vars eval exec __import__ __dict__ dir f_locals f_globals getargvalues"
        " getinnerframes getouterframes"
    )
)
_INTROSPECTION = frozenset(
    f"{module}.{name}"
    for module, names in {
        "typing": "get_type_hints get_origin get_args",
        "typing_extensions": "get_type_hints get_origin get_args get_annotations",
        "inspect": "signature getfullargspec get_annotations",
    }.items()
    for name in names.split()
)
_INTROSPECTIVE = frozenset(
    words("__annotations__ __origin__ __args__ get_type_hints getfullargspec get_annotations")
)
_COMPARING = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__bool__"})
_BUILTINS = frozenset(dir(builtins))
_MODULES_OF_BUILTINS = frozenset({"builtins", "__builtin__", "__builtins__"})
_OWNERS_OF_KINDS = frozenset({"builtins", "collections", "typing", "typing_extensions"})
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)


class Facts:
    """The facts of a tree, collected once before it is changed.

    `words` are all identifiers. `replaced` are attributes that are assigned. `origins` are the full
    names of top-level imports, for names that nothing else binds and that are not used earlier.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.words: set[str] = set()
        self.bound: set[str] = set()
        self.bound_in_classes: set[str] = set()
        self.exported: set[str] = set()
        self.quoted: set[str] = set()
        self.reads: set[str] = set()
        self.attributes: set[str] = set()
        self.replaced: set[str] = set()
        self.functions: set[str] = set()
        self.classes_once: dict[str, bool] = {}
        self.derived_once: set[str] = set()
        self.lazy_annotations = False
        self._imports: dict[str, set[str]] = defaultdict(set)
        self._roots: set[str] = set()
        self._looks_at_modules = False
        self._stars: set[str] = set()
        nodes = list(ast.walk(tree))
        self._class_members(nodes)
        for node in nodes:
            self._note(node)
        self.knows_builtins = self._stars <= _STARS
        self.dynamic = bool(self.words & _DYNAMIC) or not self.knows_builtins
        self.dynamic |= self._looks_at_modules or "sys.modules" in self._imports["modules"]
        self.introspects = bool(self.words & _INTROSPECTIVE or self._looks_at_types(nodes))
        self.is_alone = self._roots <= sys.stdlib_module_names
        """Whether only the standard library is imported."""
        self.plain = self.is_alone and not self.words & _COMPARING
        """Whether comparisons return a bool and have no side effect.

        No class of the program defines them, and only the standard library is imported.
        """
        self.shadowed = self.bound | {
            name
            for name, origins in self._imports.items()
            if any(origin.partition(".")[0] not in _OWNERS_OF_KINDS for origin in origins)
        }
        """Names that may not mean the standard library type of this name."""
        self.acting = frozenset(_acting(tree))
        """Attributes whose reading can change something, because the program computes them."""
        self.patched = frozenset(self._set_in_modules(nodes))
        """Full names in imported modules that the program assigns."""
        self.origins: dict[str, str] = {}
        self._qualify(tree)
        self.bound_once: frozenset[str] = frozenset()
        """Names that are bound by exactly one statement, at the top of the module."""
        self._lines_bound: dict[str, int] = {}
        self._count_bound(tree, nodes)

    def _looks_at_types(self, nodes: Sequence[ast.AST]) -> bool:
        """Return whether the program reads its own annotations."""
        imported = {origin for origins in self._imports.values() for origin in origins}
        if imported & _INTROSPECTION:
            return True
        names = {origin.partition(".")[2] for origin in _INTROSPECTION}
        owners = {"typing", "inspect", "typing_extensions", "t", "ty"}
        return any(
            isinstance(node, ast.Attribute)
            and node.attr in names
            and isinstance(node.value, ast.Name)
            and node.value.id in owners
            for node in nodes
        )

    def _set_in_modules(self, nodes: Sequence[ast.AST]) -> Iterator[str]:
        for node in nodes:
            match node:
                case ast.Attribute(attr=name, value=owner, ctx=ast.Store() | ast.Del()):
                    pass
                case ast.Call(
                    func=ast.Name(id="setattr" | "delattr") | ast.Attribute(attr="setattr"),
                    args=[owner, ast.Constant(value=str(name)), *_],
                ):
                    pass
                case _:
                    continue
            while isinstance(owner, ast.Attribute):
                name = f"{owner.attr}.{name}"
                owner = owner.value
            if isinstance(owner, ast.Name):
                yield from (f"{origin}.{name}" for origin in self._imports.get(owner.id, ()))

    def _class_members(self, nodes: Sequence[ast.AST]) -> None:
        self._members = {
            id(member)
            for node in nodes
            if isinstance(node, ast.ClassDef)
            for member in _members(node)
        }

    def _note(self, node: ast.AST) -> None:
        bound = self.bound_in_classes if id(node) in self._members else self.bound
        match node:
            case ast.Name(id=name, ctx=context):
                self.words.add(name)
                if isinstance(context, ast.Load):
                    self.reads.add(name)
                else:
                    bound.add(name)
            case ast.Attribute(attr=name, ctx=context):
                self.words.add(name)
                self.attributes.add(name)
                if name == "modules" and isinstance(node.value, ast.Name):
                    self._looks_at_modules |= node.value.id == "sys"
                if not isinstance(context, ast.Load):
                    self.replaced.add(name)
                    if isinstance(node.value, ast.Name) and node.value.id in _MODULES_OF_BUILTINS:
                        self.bound.add(name)
            case ast.keyword(arg=str(name)):
                self.words.add(name)
            case ast.Constant(value=str(name)) if name in _COMPARING:
                self.words.add(name)
            case ast.arg(arg=name):
                bound.add(name)
                self.words.add(name)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                bound.add(node.name)
                self.words.add(node.name)
                if not isinstance(node, ast.ClassDef):
                    self.functions.add(node.name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                bound.add(name)
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                bound.add(name)
            case ast.Import() | ast.ImportFrom():
                self._note_import(node)
            case ast.Constant(value=str(text)) if ">>>" in text:
                self.quoted.update(re.findall(r"\w+", text))
            case ast.Assign() | ast.AugAssign() | ast.AnnAssign() if _is_all(node):
                self.exported.update(_strings(node))

    def _note_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for bound, origin in brought(node):
            root = origin.partition(".")[0]
            self.words.update(origin.split("."))
            self._roots.add(root)
            if bound == "*":
                self._stars.add(origin.removesuffix(".*"))
            elif id(node) in self._members:
                self.bound_in_classes.add(bound)
            else:
                self._imports[bound].add(origin)
                if bound in _BUILTINS and origin not in {f"builtins.{bound}", f"io.{bound}"}:
                    self.bound.add(bound)
            if origin == "__future__.annotations":
                self.lazy_annotations = True

    def is_bound_before(self, name: str, line: int) -> bool:
        """Return whether a module name is bound before the given line, by exactly one top-level
        statement."""
        return 0 < self._lines_bound.get(name, 0) < line

    def _count_bound(self, tree: ast.Module, nodes: Sequence[ast.AST]) -> None:
        """Record the names and classes that are bound exactly once, at the top level."""
        bound = Counter(name for node in nodes for name in names_bound(node))
        at_the_top: set[str] = set()
        for statement in tree.body:
            for name in names_bound(statement):
                at_the_top.add(name)
                if bound[name] == 1 and name != "*":
                    self._lines_bound[name] = statement.end_lineno or statement.lineno
            match statement:
                case ast.ClassDef(name=name):
                    self.classes_once[name] = bound[name] == 1
                    if bound[name] == 1 and statement.bases:
                        self.derived_once.add(name)
                case ast.Assign(targets=targets):
                    at_the_top.update(each.id for each in targets if isinstance(each, ast.Name))
                case ast.AnnAssign(target=ast.Name(id=name)):
                    at_the_top.add(name)
        again = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        self.bound_once = frozenset(name for name in at_the_top if bound[name] == 1) - again

    def _qualify(self, tree: ast.Module) -> None:
        """Record the names that always mean the same member of the standard library."""
        seen: set[str] = set()
        for statement in tree.body:
            if not isinstance(statement, ast.Import | ast.ImportFrom):
                seen.update(node.id for node in ast.walk(statement) if isinstance(node, ast.Name))
                continue
            for bound, origin in brought(statement):
                once = len(self._imports[bound]) == 1 and bound not in self.bound
                once = once and origin not in self.patched
                if once and bound not in seen and origin.partition(".")[0] in HARMLESS:
                    self.origins[bound] = origin


def brought(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield the names that an import binds, with their full names.

    Relative ones start with a dot.
    """
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            source = f"{'.' * node.level}{node.module or ''}"
            yield alias.asname or alias.name, f"{source}.{alias.name}"
        elif alias.asname:
            yield alias.asname, alias.name
        else:
            root = alias.name.partition(".")[0]
            yield root, root


def names_bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node itself binds or unbinds."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield name
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Import() | ast.ImportFrom():
            yield from (name for name, _ in brought(node))


def _members(node: ast.ClassDef) -> Iterator[ast.AST]:
    """Yield the nodes that bind names in the class itself, which its methods do not see."""
    stack: list[ast.AST] = list(node.body)
    while stack:
        each = stack.pop()
        yield each
        if not isinstance(each, (*_Function, ast.ClassDef, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(each))


def _is_all(node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)


def _strings(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def _acting(tree: ast.Module) -> Iterator[str]:
    """Yield the properties that do more than read: they call, assign or delete."""
    for owner in ast.walk(tree):
        for each in owner.body if isinstance(owner, ast.ClassDef) else ():
            if isinstance(each, ast.FunctionDef) and each.decorator_list and _changes(each):
                yield each.name
            match each:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=made)) if (
                    isinstance(made, ast.Name) and made.id.endswith("property")
                ):
                    yield name


def _changes(node: ast.FunctionDef) -> bool:
    return any(
        isinstance(each, ast.Call | ast.AugAssign | ast.Delete | ast.Global | ast.Nonlocal)
        or (isinstance(each, ast.Attribute | ast.Subscript) and isinstance(each.ctx, ast.Store))
        for top in node.body
        for each in ast.walk(top)
    )
