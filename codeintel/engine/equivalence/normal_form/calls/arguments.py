"""Arguments of calls that are what is taken anyway, or that have another name."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import is_pure

_LOAD = ast.Load()
_READING = {
    "r": None,
    "rt": None,
    "wt": "w",
    "at": "a",
    "tr": None,
}
_PROCESSES = frozenset(f"subprocess.{name}" for name in ("run", "Popen", "check_output", "call"))


def opened(node: ast.Call, context: Context) -> ast.AST | None:
    """`open(x, "r")` is `open(x)`."""
    if not context.is_builtin(node.func, "open") or len(node.args) < 2:
        mode = next((k for k in node.keywords if k.arg == "mode"), None)
        if mode is None or not context.is_builtin(node.func, "open"):
            return None
        if isinstance(mode.value, ast.Constant) and mode.value.value in {"r", "rt"}:
            context.took("modes of open()")
            return ast.Call(node.func, node.args, [k for k in node.keywords if k is not mode])
        return None
    mode_value = node.args[1]
    if not isinstance(mode_value, ast.Constant) or mode_value.value not in _READING:
        return None
    new = _READING[mode_value.value]
    if new is None and len(node.args) > 2:
        return None
    context.took("modes of open()")
    given = [node.args[0]] if new is None else [node.args[0], ast.Constant(new), *node.args[2:]]
    return ast.Call(node.func, given, node.keywords)


def ranged(node: ast.Call, context: Context) -> ast.AST | None:
    """`range(0, n)` is `range(n)`."""
    match node:
        case ast.Call(func=function, args=[ast.Constant(value=int(start)), stop], keywords=[]):
            if context.is_builtin(function, "range") and start == 0 and start is not False:
                context.took("starts of range()")
                return ast.Call(function, [stop], [])
    return None


def got(node: ast.Call, context: Context) -> ast.AST | None:
    """`d.get(k, None)` is `d.get(k)` of a dict."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=value, attr="get"),
            args=[key, ast.Constant(value=None)],
            keywords=[],
        ):
            if context.kind(value) == "dict" or _is_environment(value):
                context.took("defaults of get()")
                return ast.Call(node.func, [key], [])
    return None


def _is_environment(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "os.environ"


def printed(node: ast.Call, context: Context) -> ast.AST | None:
    """`print("")` is `print()`."""
    if context.is_builtin(node.func, "print"):
        match node.args:
            case [ast.Constant(value="")]:
                separators = [k for k in node.keywords if k.arg == "sep"]
                if not all(_is_separator(k.value, context) for k in separators):
                    return None
                context.took("empty lines printed")
                return ast.Call(node.func, [], [k for k in node.keywords if k.arg != "sep"])
    return None


def _is_separator(node: ast.expr, context: Context) -> bool:
    """Whether `print` takes it, and evaluating it does nothing."""
    is_none = isinstance(node, ast.Constant) and node.value is None
    return is_none or (context.kind(node) == "str" and is_pure(node, context))


def cached(node: ast.Call, context: Context) -> ast.AST | None:
    """`lru_cache(maxsize=None)` is `cache`."""
    if not isinstance(node.func, ast.Name) or node.func.id != "functools.lru_cache" or node.args:
        return None
    match node.keywords:
        case [ast.keyword(arg="maxsize", value=ast.Constant(value=None))]:
            context.took("caches")
            return ast.Name("functools.cache", _LOAD)
    return None


def process(node: ast.Call, context: Context) -> ast.AST | None:
    """The newer names of `subprocess`'s keywords."""
    if not isinstance(node.func, ast.Name) or node.func.id not in _PROCESSES:
        return None
    names = {keyword.arg for keyword in node.keywords}
    if "universal_newlines" in names and "text" not in names:
        context.took("keywords of subprocess")
        renamed = [
            ast.keyword("text" if each.arg == "universal_newlines" else each.arg, each.value)
            for each in node.keywords
        ]
        return ast.Call(node.func, node.args, renamed)
    return None
