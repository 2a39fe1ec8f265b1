"""Check that every shipped module with a hook is registered as a plugin."""

from __future__ import annotations

from configparser import ConfigParser
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import codeintel_plugins

ROOT = Path(codeintel_plugins.__file__).parent
FILE = ROOT / "entry_points.txt"
HOOKS = "codeintel"
"""The name of the project among pluggy's marks."""


def modules_with_hooks() -> set[str]:
    """Return the names of all modules that implement a hook."""
    names = (each.name for each in walk_packages([str(ROOT)], f"{ROOT.name}."))
    return {name for name in names if any(map(_is_hook, vars(import_module(name)).values()))}


def _is_hook(value: object) -> bool:
    return hasattr(value, f"{HOOKS}_impl")


def test_each_module_with_a_hook_has_a_line() -> None:
    lines = ConfigParser(delimiters=["="])
    lines.optionxform = str  # type: ignore[assignment,method-assign]
    lines.read(FILE)
    registered = {place.partition(":")[0] for _, place in lines.items("codeintel.plugins")}
    missing = [f"{name} = {name}" for name in sorted(modules_with_hooks() - registered)]
    assert not missing, f"add to plugins/codeintel_plugins/entry_points.txt: {missing}"
    assert registered <= modules_with_hooks(), "these register nothing"
