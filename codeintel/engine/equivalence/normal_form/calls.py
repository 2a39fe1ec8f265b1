"""Shorten calls, turn them into literals, and remove arguments that equal the default."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import is_pure, is_reckoned
from codeintel.engine.equivalence.python_trees import same

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
    """Turn `open(x, "r")` into `open(x)`."""
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
    """Turn `range(0, n)` into `range(n)`."""
    match node:
        case ast.Call(func=function, args=[ast.Constant(value=int(start)), stop], keywords=[]):
            if context.is_builtin(function, "range") and start == 0 and start is not False:
                context.took("starts of range()")
                return ast.Call(function, [stop], [])
    return None


def got(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `d.get(k, None)` into `d.get(k)` for a dict."""
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
    """Turn `print("")` into `print()`."""
    if context.is_builtin(node.func, "print"):
        match node.args:
            case [ast.Constant(value="")]:
                separators = [k for k in node.keywords if k.arg == "sep"]
                if not all(_is_separator(k.value, context) for k in separators):
                    return None
                context.took("printed empty lines")
                return ast.Call(node.func, [], [k for k in node.keywords if k.arg != "sep"])
    return None


def _is_separator(node: ast.expr, context: Context) -> bool:
    """Return whether `print` accepts the separator and evaluating it has no effect."""
    is_none = isinstance(node, ast.Constant) and node.value is None
    return is_none or (context.kind(node) == "str" and is_pure(node, context))


def cached(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `lru_cache(maxsize=None)` into `cache`."""
    if not isinstance(node.func, ast.Name) or node.func.id != "functools.lru_cache" or node.args:
        return None
    match node.keywords:
        case [ast.keyword(arg="maxsize", value=ast.Constant(value=None))]:
            context.took("caches")
            return ast.Name("functools.cache", _LOAD)
    return None


def process(node: ast.Call, context: Context) -> ast.AST | None:
    """Use the newer names of `subprocess` keywords."""
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


_UTF8 = frozenset({"utf-8", "utf8", "UTF-8", "UTF8", "utf_8"})


def literal(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `str("a")` into `"a"` and `str()` into `""`."""
    if node.keywords or len(node.args) > 1 or not isinstance(node.func, ast.Name):
        return None
    empty: dict[str, object] = {"str": "", "int": 0, "float": 0.0, "bool": False, "bytes": b""}
    name = node.func.id
    if name not in empty or not context.is_builtin(node.func, name):
        return None
    if not node.args:
        context.took("literals created by calls")
        return ast.Constant(empty[name])  # type: ignore[arg-type]
    only = node.args[0]
    if isinstance(only, ast.Constant) and type(only.value).__name__ == name:
        context.took("literals created by calls")
        return only
    if isinstance(only, ast.JoinedStr) and name == "str":
        context.took("literals created by calls")
        return only
    return None


def encoded(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `"a".encode("utf-8")` into `b"a"`, and drop UTF-8, which is the default of `encode`."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "encode":
        return None
    value = node.func.value
    match node:
        case ast.Call(args=[ast.Constant(value=str(name))], keywords=[]) if name in _UTF8:
            pass
        case ast.Call(
            args=[], keywords=[ast.keyword(arg="encoding", value=ast.Constant(value=str(name)))]
        ) if name in _UTF8:
            pass
        case ast.Call(args=[], keywords=[]):
            name = ""
        case _:
            return None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        try:
            encoded = value.value.encode()
        except UnicodeEncodeError:
            return None
        context.took("encoded literals")
        return ast.Constant(encoded)
    if not name or context.kind(value) != "str":
        return None
    context.took("the default of encode()")
    return ast.Call(node.func, [], [])


def type_of_literal(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `type("")` into `str`."""
    match node:
        case ast.Call(
            func=function,
            args=[ast.Constant(value=str() | int() | float() | bytes() as v)],
            keywords=[],
        ):
            name = type(v).__name__
            if context.is_builtin(function, "type") and context.means_builtin(name):
                context.took("types of literals")
                return ast.Name(name, _LOAD)
    return None


def split(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `"a b".split()` into `["a", "b"]`."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split"), keywords=[]
        ):
            separator: str | None = None
            match node.args:
                case []:
                    pass
                case [ast.Constant(value=str(given))] if given:
                    separator = given
                case _:
                    return None
            context.took("split literals")
            return ast.List([ast.Constant(each) for each in text.split(separator)], _LOAD)
    return None


def called(node: ast.Call, context: Context) -> ast.AST | None:
    """Apply the steps for one call. The number of arguments in `*a` and `**b` is unknown."""
    starred = any(isinstance(each, ast.Starred) for each in node.args)
    starred = starred or any(keyword.arg is None for keyword in node.keywords)
    for step in (_spread,) if starred else _CALLS:
        new = step(node, context)
        if new is not None:
            return new
    return None


def _zipped(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `zip(d.keys(), d.values())` into `d.items()`."""
    match node:
        case ast.Call(
            func=function,
            args=[
                ast.Call(func=ast.Attribute(value=one, attr="keys"), args=[]),
                ast.Call(func=ast.Attribute(value=two, attr="values"), args=[]),
            ],
            keywords=[],
        ):
            known = context.is_builtin(function, "zip") and context.kind(one) == "dict"
            if known and same(one, two):
                context.took("items() of a dict")
                return ast.Call(ast.Attribute(one, "items", _LOAD), [], [])
    return None


def _attribute(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `getattr(x, "a")` into `x.a`."""
    match node:
        case ast.Call(func=function, args=[value, ast.Constant(value=str(name))], keywords=[]):
            usual = name.isidentifier() and not name.startswith("__")
            if usual and context.is_builtin(function, "getattr"):
                context.took("getattr() with a constant name")
                return ast.Attribute(value, name, _LOAD)
    return None


def _of_none(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `isinstance(x, type(None))` into `x is None`."""
    match node:
        case ast.Call(
            func=function, args=[value, ast.Call(func=kind, args=[ast.Constant(value=None)])]
        ) if context.is_builtin(function, "isinstance") and context.is_builtin(kind, "type"):
            context.took("the type of None")
            return ast.Compare(value, [ast.Is()], [ast.Constant(None)])
    return None


def _spread(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `f(**{"a": 1})` into `f(a=1)`."""
    keywords: list[ast.keyword] = []
    for keyword in node.keywords:
        value = keyword.value
        if keyword.arg is None and isinstance(value, ast.Dict) and _are_names(value.keys):
            pairs = zip(value.keys, value.values, strict=True)
            keywords.extend(
                ast.keyword(str(k.value), v) for k, v in pairs if isinstance(k, ast.Constant)
            )
        else:
            keywords.append(keyword)
    names = [keyword.arg for keyword in keywords if keyword.arg]
    spread = sum(each.arg is None for each in node.keywords)
    if spread == sum(each.arg is None for each in keywords) or len(set(names)) != len(names):
        return None
    context.took("unpacked keyword dicts")
    return ast.Call(node.func, node.args, keywords)


def _are_names(keys: list[ast.expr | None]) -> bool:
    values = [key.value if isinstance(key, ast.Constant) else None for key in keys]
    return all(isinstance(value, str) and value.isidentifier() for value in values)


def _largest(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `max(a, b)` into `b if a < b else a`."""
    if not context.is_builtin(node.func, "max", "min") or node.keywords or len(node.args) != 2:
        return None
    one, two = node.args
    simple = is_reckoned(one, context) and is_reckoned(two, context)
    if not simple or not context.facts.plain or not isinstance(node.func, ast.Name):
        return None
    context.took("min() or max() of two values")
    pair = (one, two) if node.func.id == "max" else (two, one)
    return ast.IfExp(ast.Compare(pair[0], [ast.Lt()], [pair[1]]), two, one)


def _digest(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `h.digest().hex()` into `h.hexdigest()`."""
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Call(
                    func=ast.Attribute(value=value, attr="digest"), args=[], keywords=[]
                ),
                attr="hex",
            ),
            args=[],
            keywords=[],
        ) if "hashlib" in context.facts.words:
            context.took("hexadecimal digests")
            return ast.Call(ast.Attribute(value, "hexdigest", _LOAD), [], [])
    return None


_CALLS = (
    opened,
    ranged,
    got,
    _zipped,
    literal,
    encoded,
    _attribute,
    printed,
    _of_none,
    type_of_literal,
    _spread,
    cached,
    process,
    _largest,
    _digest,
    split,
)
