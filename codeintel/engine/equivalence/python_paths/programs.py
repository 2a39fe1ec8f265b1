"""Compare two programs, and list the functions that are not shown to do the same."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from codeintel.engine.equivalence.normal_form import MODULE, Walked, deep, functions, outlined
from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.facts import HARMLESS, names_bound
from codeintel.engine.equivalence.path_trees import UnsupportedError
from codeintel.engine.equivalence.path_trees.text import text_of as tree_text
from codeintel.engine.equivalence.python_paths import likeness, operations, texts
from codeintel.engine.equivalence.python_paths.expressions.closures import is_plain
from codeintel.engine.equivalence.python_paths.functions import function_tree, kinds_of
from codeintel.engine.equivalence.python_paths.kinds import classes
from codeintel.engine.equivalence.python_paths.lowering import Function, Program
from codeintel.engine.equivalence.python_trees import text_of

_PLACING = frozenset({"bisect.bisect", "bisect.bisect_left", "bisect.bisect_right"})
_LISTING = frozenset({"__dict__", "attrgetter", "dir", "getmembers", "methodcaller", "vars"})
_ASKING_BY_NAME = frozenset({"getattr", "hasattr", "builtins.getattr", "builtins.hasattr"})
_READ_ONLY = frozenset({"get", "items", "keys", "values"})


@dataclass(slots=True)
class Units:
    """A program, split into its functions and the rest.

    :param functions: the functions by dotted name.
    :param names: all words of the program.
    """

    tree: ast.Module
    program: Program
    functions: dict[str, Function] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)


def differences(before: Walked, after: Walked) -> list[str] | None:
    """Return the names of the parts that are not shown to do the same, or None if the code cannot
    be followed.

    :raises RecursionError: if the code is nested too deeply.
    """
    with deep():
        old, new = _units(before), _units(after)
        if old is None or new is None:
            return None
        return list(_different(old, new))


def _units(walked: Walked) -> Units | None:
    module, context = walked.module, walked.context
    facts = context.facts
    units = Units(
        module,
        Program(context, bound=facts.bound_once, rebound=_rebound(module), acting=facts.acting),
        names=facts.exported | facts.quoted | facts.words,
    )
    for name, node in functions(module.body):
        if name in units.functions:
            return None
        units.functions[name] = node
    units.program.helpers = dict(_helpers(module, units))
    units.program.owners = classes(module, context)
    units.program.constants = dict(_constants(module, units))
    return units


def _rebound(tree: ast.Module) -> frozenset[str]:
    """Return the module's names that are bound more than once, or by a function."""
    counts: Counter[str] = Counter()
    stack: list[ast.AST] = list(tree.body)
    while stack:
        node = stack.pop()
        counts.update(names_bound(node))
        if isinstance(node, ast.For | ast.While | ast.AsyncFor):
            counts.update(name for each in ast.walk(node) for name in names_bound(each))
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))
    declared = (n.names for n in ast.walk(tree) if isinstance(n, ast.Global))
    again = {name for names in declared for name in names}
    return frozenset(name for name, count in counts.items() if count > 1) | again


def _helpers(module: ast.Module, units: Units) -> Iterator[tuple[str, Function]]:
    """Yield the private functions that exist before any call and that nothing replaces."""
    facts = units.program.context.facts
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            once = node.name in units.program.bound and node.name not in facts.replaced
            if once and _is_private(node.name) and is_plain(node):
                yield node.name, node
        elif not _is_quiet(node) and not _asks_library(node):
            return


def _is_private(name: str) -> bool:
    """Return whether a name is private and is not mangled in classes."""
    return name.startswith("_") and not name.startswith("__")


_LIBRARY = (
    *(ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp, ast.Name),
    *(ast.Call, ast.keyword, ast.expr_context, ast.operator, ast.unaryop),
)


def _asks_library(node: ast.stmt) -> bool:
    """Return whether a statement binds a value that the standard library makes of constants.

    It may fail, but calls no function of the program.
    """
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if not all(isinstance(each, ast.Name) for each in targets):
        return False
    names = [each for each in ast.walk(node.value) if isinstance(each, ast.Name)]
    known = all("." in each.id and each.id.partition(".")[0] in HARMLESS for each in names)
    return known and all(isinstance(each, _LIBRARY) for each in ast.walk(node.value))


def _is_quiet(node: ast.stmt) -> bool:
    """Return whether a module-level statement calls nothing."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef | ast.AsyncFunctionDef):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign | ast.AnnAssign):
        value = node.value
        if texts.is_pattern(value):
            return True
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.args:
            quiet = value.func.id == "frozenset" and not value.keywords
            value = value.args[0] if quiet and len(value.args) == 1 else value
        return value is None or _is_constant(value)
    return False


def _is_sure(node: ast.expr) -> bool:
    """Return whether computing a constant cannot raise."""
    match node:
        case ast.UnaryOp(operand=operand):
            return _is_number(operand)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right) if _is_number(
            left
        ):
            return _is_number(right)
        case ast.BinOp(
            left=left,
            op=ast.Div() | ast.FloorDiv() | ast.Mod() | ast.Pow() | ast.LShift(),
            right=ast.Constant(value=int(number)),
        ):
            return _is_number(left) and number > 0
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_text(left) and _is_text(right)
        case ast.BinOp(left=left, op=ast.Mult(), right=ast.Constant(value=int())):
            return _is_text(left)
    return False


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return type(value) is int
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _is_number(operand)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Pow(), right=right):
            return _is_number(left) and _is_number(right)
    return False


def _is_text(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return isinstance(value, str)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_text(left) and _is_text(right)
    return False


def _is_constant(node: ast.expr) -> bool:
    allowed = (
        *(ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.USub),
        *(ast.expr_context, ast.BinOp, ast.operator),
    )
    if not all(_is_sure(e) for e in ast.walk(node) if isinstance(e, ast.BinOp | ast.UnaryOp)):
        return False
    return all(
        isinstance(each, allowed)
        or (isinstance(each, ast.Name) and operations.is_operator(each.id))
        for each in ast.walk(node)
    )


def _constants(module: ast.Module, units: Units) -> Iterator[tuple[str, ast.expr]]:
    facts = units.program.context.facts
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                if not _is_quiet(node) and not isinstance(node, ast.FunctionDef):
                    return  # later code can run before its constants exist
                continue
        if not _is_quiet(node):
            return
        if not (_is_private(name) or name.isupper()) or name.startswith("__"):
            continue
        value = _display(value, units.program.context)
        if name not in units.program.bound or name in facts.replaced:
            continue
        if texts.is_pattern(value) and texts.is_only_asked(name, module):
            yield name, value
        if not _is_constant(value):
            continue
        displays = [e for e in ast.walk(value) if isinstance(e, ast.List | ast.Set | ast.Dict)]
        if any(each is not value for each in displays):
            continue  # reading an element could allow changing it
        changing = bool(displays)
        if not changing or _is_only_read(name, module):
            yield name, value


def _display(node: ast.expr, context: Context) -> ast.expr:
    """Return `{1, 2}` for `frozenset({1, 2})`, which is just as constant."""
    match node:
        case ast.Call(func=function, args=[ast.Set() | ast.Tuple() | ast.List() as inner]):
            if context.is_builtin(function, "frozenset") and not node.keywords and inner.elts:
                return ast.Set(inner.elts)
    return node


def _is_only_read(name: str, module: ast.Module) -> bool:
    """Return whether a collection of the module is only read, and neither changed nor passed on."""
    asked = 0
    for node in ast.walk(module):
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=read)]):
                asked += read == name
            case ast.Subscript(value=ast.Name(id=read), ctx=ast.Load()):
                asked += read == name
            case ast.Call(func=ast.Attribute(value=ast.Name(id=read), attr=attribute)):
                asked += read == name and attribute in _READ_ONLY
            case ast.For(iter=ast.Name(id=read)) | ast.comprehension(iter=ast.Name(id=read)):
                asked += read == name
            case ast.Call(func=ast.Name(id=function), args=[ast.Name(id=read), _], keywords=[]):
                asked += read == name and function in _PLACING
    all_of_it = sum(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        for node in ast.walk(module)
    )
    return asked == all_of_it


def _different(old: Units, new: Units) -> Iterator[str]:
    gone = {name for name in old.functions if name not in new.functions}
    come = {name for name in new.functions if name not in old.functions}
    for name in sorted(gone | come):
        owner, other = (old, new) if name in gone else (new, old)
        method = name.rpartition(".")[2]
        if (
            method in other.names
            or _looks_up_names(owner)
            or not (
                _is_own_helper(name, owner)
                if method != name
                else name in owner.program.helpers and _is_only_called(name, owner)
            )
        ):
            yield name
    for name, node in old.functions.items():
        if name in new.functions and not _same(name, node, old, new.functions[name], new):
            yield name
    if _module_text(old, new) != _module_text(new, old, is_new=True):
        yield MODULE


def _looks_up_names(units: Units) -> bool:
    """Return whether attributes may be looked up by names that are computed at run time."""
    facts = units.program.context.facts
    if facts.dynamic or facts.words & _LISTING:
        return True
    for node in ast.walk(units.tree):
        match node:
            case ast.Call(func=ast.Name(id=function), args=[_, name, *_]):
                if function in _ASKING_BY_NAME and not isinstance(name, ast.Constant):
                    return True
    loaded = sum(isinstance(e, ast.Name) and e.id in _ASKING_BY_NAME for e in ast.walk(units.tree))
    calls = sum(
        isinstance(e, ast.Call)
        and isinstance(e.func, ast.Name)
        and e.func.id in _ASKING_BY_NAME
        and len(e.args) > 1
        for e in ast.walk(units.tree)
    )
    return loaded != calls


def _is_own_helper(name: str, units: Units) -> bool:
    """Return whether a name is a private method that is only called, by methods of the same
    instance."""
    owner, _, method = name.rpartition(".")
    own = units.program.owners.get(owner)
    if own is None or method not in own.helpers or not is_plain(own.helpers[method]):
        return False
    calls = 0
    for other, node in units.functions.items():
        if other.rpartition(".")[0] != owner or not node.args.args:
            continue
        for each in ast.walk(node):
            match each:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=called), attr=attribute)):
                    calls += attribute == method and called == node.args.args[0].arg
    nodes = list(ast.walk(units.tree))
    mentions = sum(isinstance(e, ast.Attribute) and e.attr == method for e in nodes)
    said = any(isinstance(e, ast.Constant) and e.value == method for e in nodes)
    return calls == mentions and not said


def _is_only_called(name: str, units: Units) -> bool:
    """Return whether a function is only called, and not used as a value."""
    facts = units.program.context.facts
    if name in facts.exported | facts.quoted:
        return False
    calls = mentions = 0
    for node in ast.walk(units.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls += node.func.id == name
        if isinstance(node, ast.Name):
            mentions += node.id == name
        if isinstance(node, ast.Constant) and node.value == name:
            return False
    return calls == mentions


def _same(name: str, old: Function, before: Units, new: Function, after: Units) -> bool:
    if text_of(old) == text_of(new):
        return True
    try:
        kinds = kinds_of(old, before.program)
        owner = name.rpartition(".")[0]
        own = before.program.owners.get(owner)
        attributes = {} if own is None else own.kinds
        head, one = function_tree(old, before.program, kinds, attributes, owner)
        other_head, other = function_tree(new, after.program, kinds, attributes, owner)
        if head != other_head:
            return False
        return tree_text(one) == tree_text(other) or likeness.same(one, other)
    except UnsupportedError:
        return False


def _module_text(units: Units, other: Units, *, is_new: bool = False) -> str:
    """Return the text of a module's own statements, without helpers and constants that only its
    functions use and the other program lacks.

    Constants that are not private stay if they were there before.
    """
    dropped = {
        name
        for name in units.program.constants
        if name not in other.names and (is_new or _is_private(name)) and not _looks_up_names(units)
    }
    helpers = [*units.program.helpers]
    helpers += [
        f"{name}.{each}" for name, own in units.program.owners.items() for each in own.helpers
    ]
    private = {name for name in helpers if name not in other.functions}
    kept = ast.Module(list(outlined(units.tree.body, dropped | private)), [])
    return text_of(kept) + "\n".join(units.program.context.exports())
