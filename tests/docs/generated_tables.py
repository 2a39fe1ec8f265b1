"""The tables of `docs/errors.md`, `settings.md` and `tour.md`, which a test compares with the
code: `python tests/docs/generated_tables.py` writes them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from codeintel.base.errors import ErrorCode
from codeintel.platform.config import SETTINGS, Settings, load_settings
from codeintel.platform.plugins.manager import load_plugins

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CODE = ROOT / "codeintel"
PLUGINS = ROOT / "plugins/codeintel_plugins"
ELSEWHERE = {
    "CODEINTEL_ANALYSIS_PROCESSES": "one a processor",
    "CODEINTEL_NPM_REGISTRY": "[a mirror](search.md#more-registries)",
}
"""Defaults that are another one on each machine, or are explained at their place."""


def error_table() -> str:
    """Return the table of codes with their statuses and meanings."""
    rows = sorted((code.status, code.value, code.meaning) for code in ErrorCode)
    return _table(
        ("Status", "`error.code`", "Meaning"),
        ((str(status), f"`{name}`", meaning) for status, name, meaning in rows),
    )


def settings_table() -> str:
    """Return the table of core settings with their defaults and meanings."""
    defaults = Settings()
    return _table(
        ("Setting", "Default", "Meaning"),
        (_row(each.name, getattr(defaults, each.attribute), each.help) for each in SETTINGS),
    )


def plugins_table() -> str:
    """Return the table of settings that shipped plugins declare."""
    with TemporaryDirectory() as instance:
        _, plugins = load_plugins(load_settings({"CODEINTEL_INSTANCE": instance}))
    declared = plugins.registry.settings.values()
    return _table(
        ("Setting", "Default", "Meaning"),
        (_row(each.name, each.default, each.help) for each in declared),
    )


def packages_table() -> str:
    """Return the table of top-level packages: purpose, size and imports."""
    return _table(
        ("Package", "Purpose", "Files", "Lines", "Imports"),
        (_package(path) for path in _top_packages()),
    )


def _top_packages() -> list[Path]:
    return [*sorted(path.parent for path in CODE.glob("*/__init__.py")), PLUGINS]


def _package(path: Path) -> tuple[str, ...]:
    modules = [each.read_text() for each in path.rglob("*.py")]
    about = ast.get_docstring(ast.parse((path / "__init__.py").read_text())) or ""
    found = {name for text in modules for name in _imported(ast.parse(text))} - {path.name}
    return (
        f"`{path.name}`",
        about.split("\n\n")[0].replace("\n", " "),
        str(len(modules)),
        f"{sum(len(text.splitlines()) for text in modules):,}",
        ", ".join(f"`{name}`" for name in sorted(found)) or "none",
    )


def _imported(node: ast.AST) -> Iterator[str]:
    """Yield the top-level packages that a module needs at run time."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        if isinstance(child, ast.ImportFrom) and str(child.module).startswith("codeintel."):
            yield str(child.module).split(".")[1]
        yield from _imported(child)


TABLES: dict[str, Callable[[], str]] = {
    "errors.md#of errors": error_table,
    "settings.md#of the core": settings_table,
    "settings.md#of plugins": plugins_table,
    "tour.md#of packages": packages_table,
}
"""What writes each table, by its document and its name there."""


def renewed(document: str, text: str) -> str:
    """Return the text of a document with its tables as they should be.

    :raises ValueError: if one of them has no place in it.
    """
    for key, table in TABLES.items():
        where, _, name = key.partition("#")
        if where != document:
            continue
        begin = f"<!-- The table {name}, written by tests/docs/generated_tables.py. -->\n\n"
        end = "\n<!-- The end of the table. -->"
        head, found, rest = text.partition(begin)
        _, ended, tail = rest.partition(end)
        if not (found and ended):
            raise ValueError(f"{document} has no place for the table {name}")
        text = head + begin + table() + end + tail
    return text


def _row(name: str, default: Any, meaning: str) -> tuple[str, str, str]:
    shown = _shown(default)
    return f"`{name}`", ELSEWHERE.get(name, f"`{shown}`" if shown else "none"), meaning


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def _table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    cells = ([cell.replace("|", r"\|") for cell in each] for each in lines)
    return "".join(f"| {' | '.join(each)} |\n" for each in cells)


if __name__ == "__main__":
    for name in sorted({key.partition("#")[0] for key in TABLES}):
        path = DOCS / name
        path.write_text(renewed(name, path.read_text()))
