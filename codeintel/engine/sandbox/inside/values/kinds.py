"""Work out the kind of a parameter from its annotation, default, name and use.

A kind is a word, such as `int`, or a list of a word and the kinds of parts, such as `["list",
"int"]`. It travels as JSON from the original's sandbox to the result's, so that both get the same
values.
"""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any

from ..coverage.changes import last_name

Kind = Any
ANY = "any"
_PLAIN = {
    **{name: name for name in ("int", "float", "str", "bytes", "bool", "complex", "object")},
    **dict.fromkeys(("Text", "AnyStr", "Hashable"), "str"),
    **dict.fromkeys(("Number", "Real"), "float"),
    **dict.fromkeys(("Path", "PurePath"), "path"),
    "None": "none",
    "Any": ANY,
    "Decimal": "decimal",
    "date": "date",
    "datetime": "datetime",
    "timedelta": "timedelta",
    "Callable": "function",
}
_PARTS = {
    **dict.fromkeys(("list", "List", "Sequence", "MutableSequence", "Collection"), "list"),
    **dict.fromkeys(("Container", "Reversible"), "list"),
    "Iterable": "iterable",
    **dict.fromkeys(("Iterator", "Generator"), "iterator"),
    **dict.fromkeys(("AsyncIterator", "AsyncIterable", "AsyncGenerator"), "async_iterator"),
    **dict.fromkeys(("set", "Set", "AbstractSet", "MutableSet"), "set"),
    **dict.fromkeys(("frozenset", "FrozenSet"), "frozenset"),
    **dict.fromkeys(("deque", "Deque"), "deque"),
    **dict.fromkeys(("dict", "Dict", "Mapping", "MutableMapping"), "dict"),
    **dict.fromkeys(("DefaultDict", "defaultdict", "OrderedDict"), "dict"),
}
_NAMES = (
    (r"(?:is|has|should|use|with|allow|include)_.*|flag|verbose|strict|reverse|debug", "bool"),
    (r"(?:call|f|fn|func|function|callback|predicate|key_func|mapper|handler|visitor)", "function"),
    (r"matrix|grid|board|rows|table|edges|intervals|pairs", ["list", ["list", "int"]]),
    (r"words|lines|names|strings|texts|tokens|keys|tags|parts|paths|args", ["list", "str"]),
    (r"x?s|nums?|numbers|values|items|lst|l|arr(?:ay)?|data|seq\w*|elements|list\w*|\w+_list|"
     r"scores|prices|costs|weights|stack|queue|iterable|it|coll\w*", ["list", "int"]),
    (r"d|dct|dict\w*|mapping|config|options|params|counts?_by\w*|\w+_(?:dict|map)|graph|record",
     ["dict", "str", "int"]),
    (r"s|str\w*|text|word|name|line|sentence|string|title|label|prefix|suffix|sep\w*|msg|message|"
     r"pattern|char|c|ch|url|path|filename|email|key|code|content|body|\w+_(?:name|str|text|id)",
     "str"),
    (r"price|rate|ratio|amount|total|weight|temp\w*|percent\w*|balance|radius|width|height|"
     r"discount|tax|score|average|mean|factor|threshold|distance|speed", "float"),
    (r"[a-z]|n\w?|num\w*|count|size|length|index|idx|i\d?|k|limit|depth|level|age|year|month|day|"
     r"start|stop|end|low|high|step|min\w*|max\w*|value|target|width|\w+_(?:count|size|index)",
     "int"),
)  # fmt: skip
_USES: tuple[tuple[str, Kind], ...] = (
    ("split strip lower upper startswith endswith replace join encode title", "str"),
    ("append extend sort pop insert remove reverse", ["list", "int"]),
    ("items keys values get setdefault update", ["dict", "str", "int"]),
)
"""What method names say about their object."""


def kind_of(parameter: inspect.Parameter, body: ast.AST | None) -> Kind:
    """Return the kind of value for a parameter.

    :param body: the function, to see how it uses the parameter.
    """
    if parameter.annotation is not inspect.Parameter.empty:
        found = of_annotation(parameter.annotation)
        if found != ANY:
            return found
    if parameter.default is not inspect.Parameter.empty and parameter.default is not None:
        found = _of_default(parameter.default)
        if found != ANY:
            return found
    used = _of_use(parameter.name, body) if body is not None else ANY
    if used != ANY:
        return used
    for pattern, kind in _NAMES:
        if re.fullmatch(pattern, parameter.name.strip("_")):
            return ["guess", kind]
    return ANY


def of_annotation(annotation: Any) -> Kind:
    """Return the kind that an annotation names."""
    if isinstance(annotation, type) and not hasattr(annotation, "__origin__"):
        text = annotation.__name__
    else:
        text = annotation if isinstance(annotation, str) else repr(annotation)
    text = re.sub(r"ForwardRef\(('[^']*')[^)]*\)", r"\1", text).replace("~", "")
    try:
        return _of_node(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        return ANY


def _of_node(node: ast.AST) -> Kind:
    if isinstance(node, ast.Constant):
        return of_annotation(node.value) if isinstance(node.value, str) else "none"
    if isinstance(node, ast.BinOp):
        return ["either", [_of_node(node.left), _of_node(node.right)]]
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return _of_parts(last_name(node.value), parts)
    name = last_name(node)
    if name in _PLAIN:
        return _PLAIN[name]
    if name in _PARTS or name in ("tuple", "Tuple"):
        return _of_parts(name, [])
    return ["instance", name] if name[:1].isupper() else ANY


def _of_parts(name: str, parts: list[Any]) -> Kind:
    if name == "Literal":
        values = [each.value for each in parts if isinstance(each, ast.Constant)]
        plain = [each for each in values if each is None or isinstance(each, str | int)]
        return ["literal", plain] if plain else ANY
    if name in ("Union", "Optional"):
        return ["either", [*map(_of_node, parts), *(["none"] if name == "Optional" else [])]]
    if name in ("Annotated", "Final", "Required"):
        return _of_node(parts[0]) if parts else ANY
    if name in ("tuple", "Tuple"):
        if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is ...:
            return ["tuple_of", _of_node(parts[0])]
        return ["tuple", [*map(_of_node, parts)]] if parts else ["tuple_of", "int"]
    if _PARTS.get(name) == "dict":
        key, value = map(_of_node, parts) if len(parts) == 2 else (ANY, ANY)
        return ["dict", "str" if key == ANY else key, value]
    if name in _PARTS:
        return [_PARTS[name], _of_node(parts[0]) if parts else ANY]
    if name == "Callable":
        return _of_function(parts[1] if len(parts) == 2 else None)
    return ANY


def _of_function(answer: ast.AST | None) -> Kind:
    """Return the kind of a function, from the annotation of its result."""
    if isinstance(answer, ast.Subscript):
        parts = answer.slice.elts if isinstance(answer.slice, ast.Tuple) else [answer.slice]
        if last_name(answer.value) in ("Awaitable", "Coroutine"):
            return ["call", True, _of_node(parts[-1])]
        return ["call", False, _of_node(answer)]
    if last_name(answer) in ("Awaitable", "Coroutine"):
        return ["call", True, ANY]
    return "function"


def _of_default(value: object) -> Kind:
    kind = type(value)
    if kind in (int, float, str, bytes, bool, complex):
        return kind.__name__
    if kind in (list, tuple, set, frozenset) and value:
        part = _of_default(next(iter(value)))  # type: ignore[call-overload]
        return ["tuple_of" if kind is tuple else kind.__name__, part]
    if kind is dict:
        return ["dict", "str", "int"]
    if kind in (list, tuple, set, frozenset):
        return ["tuple_of" if kind is tuple else kind.__name__, "int"]
    return "function" if callable(value) and not isinstance(value, type) else ANY


def _of_use(name: str, body: ast.AST) -> Kind:
    """Return the kind that the first revealing use of a name implies."""
    for node in ast.walk(body):
        if isinstance(node, ast.Attribute) and last_name(node.value) == name:
            for methods, kind in _USES:
                if node.attr in methods.split():
                    return kind
        elif isinstance(node, ast.Call):
            if last_name(node.func) == name:
                return "function"
            counts = last_name(node.func) in ("range", "chr", "divmod")
            if counts and any(last_name(each) == name for each in node.args):
                return "int"
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.FloorDiv):
            divisor_only = isinstance(node.left, ast.Constant | ast.JoinedStr)
            if not divisor_only and name in map(last_name, (node.left, node.right)):
                return "int"
    return ANY


def refined(annotated: Kind, used: Kind) -> Kind:
    """Refine an annotated kind by the uses where the annotation says less."""
    if annotated == ANY or annotated == "object":
        return used
    if not isinstance(annotated, list):
        near = isinstance(used, list) and used[:1] == ["near"]
        return ["near", annotated, used[2]] if near else annotated
    if isinstance(used, list) and used[:1] == ["either"] and annotated[0] != "either":
        used = used[1][0]
    if not isinstance(used, list):
        return annotated
    word = annotated[0]
    if word in ("list", "set", "deque", "iterator", "tuple_of", "frozenset", "iterable"):
        if used[0] in ("list", "set", "deque", "iterator", "iterable"):
            return [word, refined(annotated[1], used[1])]
    elif word == "dict":
        if used[0] == "record" and annotated[1] in (ANY, "str"):
            return ["record", {key: refined(annotated[2], each) for key, each in used[1].items()}]
        if used[0] == "dict":
            return ["dict", refined(annotated[1], used[1]), refined(annotated[2], used[2])]
    elif word == "either" and len(annotated[1]) == 2 and "none" in annotated[1]:
        inner = next((each for each in annotated[1] if each != "none"), ANY)
        whole = refined(inner, used)
        return ["either", [whole, whole, "none"]]
    elif word == "tuple" and used[0] == "tuple" and len(used[1]) == len(annotated[1]):
        return ["tuple", [refined(a, u) for a, u in zip(annotated[1], used[1], strict=True)]]
    elif word == "function" and used[0] == "call":
        return used
    elif word == "instance" and used[0] == "thing":
        return ["instance", annotated[1], used]
    return annotated
