"""Imports, and the names that they bring.

A name that only imports of the standard library bind is written out in full, as `os.path.join`;
then how it was imported does not matter, and what is not used matters least of all.
"""

from __future__ import annotations

import ast
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.facts.program import brought
from codeintel.engine.equivalence.normal_form.text import words

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
"""Names for one and the same object."""
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


def named(node: ast.Name, context: Context) -> ast.AST | None:
    """A name in full. A module's alone ends with a colon, as no name of a program does."""
    if not isinstance(node.ctx, ast.Load):
        return None
    origin = context.facts.origins.get(node.id)
    if origin is not None and context.is_visible(node.id):
        return _known(origin, context) if "." in origin else ast.Name(f"{origin}:", ast.Load())
    if node.id in {"IOError", "EnvironmentError"} and context.means_builtin(node.id):
        return _known(node.id, context)
    return None


def attribute(node: ast.Attribute, context: Context) -> ast.AST | None:
    """An attribute of a name in full."""
    if isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
        owner = node.value.id
        if "." in owner or owner.endswith(":"):
            name = f"{owner.removesuffix(':')}.{node.attr}"
            if name in context.facts.patched:
                return None
            # Looked up when it is called: tests put something else there.
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
        context.took("names for the same object")
    return ast.Name(new, ast.Load())


def sorted_blocks(body: list[ast.stmt], context: Context) -> list[ast.stmt]:
    """The imports of a module: those that stand together in one order, one for each name. Those of
    the standard library, whose names are written in full, are left out."""
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
                context.took("what every Python does by now")
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
    """Whether a full name is that of a module of the standard library within another."""
    path = _LIBRARY.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def _key(node: ast.Import | ast.ImportFrom, alias: ast.alias, origin: str) -> str:
    """What tells an imported name from others."""
    name = alias.name if isinstance(node, ast.Import) else origin
    return f"{name} {alias.asname or ''} {isinstance(node, ast.Import)}"


def _one(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> ast.stmt:
    renamed = None if alias.asname == alias.name else alias.asname
    one = ast.alias(alias.name, renamed)
    if isinstance(node, ast.Import):
        return ast.Import([one])
    return ast.ImportFrom(node.module, [one], node.level)


STEPS = {ast.Name: [named], ast.Attribute: [attribute]}
