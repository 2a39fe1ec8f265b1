"""Print all regular expressions of the service as JSON. This is a script, because importing every
module changes the process.

Expressions that are compiled during an import are recorded in their final form. Those in functions
are read from the source.
"""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import re
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

_METHODS = {"search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
_NOT_IMPORTED = ("__main__", ".inside.", "._build", ".migrations.", ".server.gunicorn")

Key = tuple[str, int]
found: dict[Key, tuple[str, int]] = {}
"""Module and line by pattern and flags."""
used: dict[str, set[str]] = defaultdict(set)
"""The methods that a pattern is used with, as far as that can be read."""
_compile: Any = re._compile  # type: ignore[attr-defined] # through which all functions go


def _seen(pattern: Any, flags: int) -> Any:
    caller = sys._getframe(2)
    module = caller.f_globals.get("__name__", "")
    if module.startswith("codeintel") and isinstance(pattern, str):
        found.setdefault((pattern, int(flags)), (module, caller.f_lineno))
    return _compile(pattern, flags)


def _modules() -> Iterator[ModuleType]:
    for name in ("codeintel", "codeintel_plugins"):
        root = importlib.import_module(name)
        for info in pkgutil.walk_packages(root.__path__, f"{name}."):
            if not any(part in info.name for part in _NOT_IMPORTED):
                yield importlib.import_module(info.name)


def _read(module: ModuleType) -> None:
    """Read patterns in functions, and the methods of named patterns."""
    tree = ast.parse(Path(module.__file__ or "").read_text())
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        named = vars(module).get(node.value.id)
        if isinstance(named, re.Pattern) and node.attr in _METHODS:
            used[named.pattern].add(node.attr)
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=method),
                args=[ast.Constant(value=str(pattern)), *_],
            ):
                found.setdefault((pattern, 0), (module.__name__, node.lineno))
                if method in _METHODS:
                    used[pattern].add(method)


def main() -> None:
    """Print a list of pattern, flags, module, line and methods."""
    warnings.simplefilter("ignore")
    re._compile = _seen  # type: ignore[attr-defined]
    modules = list(_modules())
    re._compile = _compile  # type: ignore[attr-defined]
    for module in modules:
        _read(module)
    rows = [
        (pattern, flags, *where, sorted(used[pattern])) for (pattern, flags), where in found.items()
    ]
    json.dump(rows, sys.stdout)


if __name__ == "__main__":
    main()
