"""Words for names, values and special methods, as a docstring may have them. Texts that could be
secrets, and long ones, are never repeated."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

_PARTS = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[^\W\dA-Z_]+\d*|\d+|[^\W_]+")
_SPELLED = {"ids": "IDs", "urls": "URLs", "utf8": "UTF-8", "sha256": "SHA-256", "sha1": "SHA-1"}
_SHORT = {
    "acc": "accumulator",
    "addr": "address",
    "arr": "array",
    "arg": "argument",
    "args": "arguments",
    "attr": "attribute",
    "attrs": "attributes",
    "btn": "button",
    "cfg": "configuration",
    "config": "configuration",
    "coords": "coordinates",
    "desc": "description",
    "dest": "destination",
    "dir": "directory",
    "dirs": "directories",
    "env": "environment",
    "fn": "function",
    "func": "function",
    "idx": "index",
    "img": "image",
    "kwargs": "keyword arguments",
    "lang": "language",
    "msg": "message",
    "num": "number",
    "params": "parameters",
    "pos": "position",
    "repo": "repository",
    "prev": "previous",
    "ptr": "pointer",
    "req": "request",
    "resp": "response",
    "sep": "separator",
    "spec": "specification",
    "src": "source",
    "str": "string",
    "temp": "temporary",
    "tmp": "temporary",
    "val": "value",
    "vals": "values",
}
SPELLED_OUT = {"calc": "calculate", "init": "initialize", "concat": "concatenate"}
_MAX_CHARACTERS = 60
_MAX_NODES = 40
_MAX_TEXT = 20
_CREDENTIAL = re.compile(
    r"pass|pwd|secret|token|credential|auth|salt|private|signature|cookie|session|bearer|pin$|api"
    r"|(?:^|_)keys?(?:_|$)|(?:^|_)dsn(?:_|$)|hash|seed|nonce|conn",
    re.IGNORECASE,
)
_HARMLESS = re.compile(r"[A-Za-z ./,_-]*|[0-9][0-9.]{0,7}|[%A-Za-z :/.-]{1,20}|utf-?8|\W{1,3}")
_PLAIN = re.compile(r"[^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]*")
_EMPTY = (ast.List, ast.Dict, ast.Tuple, ast.Set)
_KNOWN = frozenset(
    {"self", "cls", "len", "isinstance", "issubclass", "callable", "hasattr", "type", "str", "int"}
    | {"float", "bool", "bytes", "list", "dict", "set", "tuple", "any", "all"}
)
_OPERATORS = {
    "add": "sum",
    "sub": "difference",
    "mul": "product",
    "matmul": "matrix product",
    "truediv": "quotient",
    "floordiv": "floored quotient",
    "mod": "remainder",
    "pow": "power",
    "lshift": "left shift",
    "rshift": "right shift",
    "and": "bitwise and",
    "or": "bitwise or",
    "xor": "bitwise exclusive or",
}
_COMPARISONS = {
    "eq": "equal to",
    "ne": "unequal to",
    "lt": "less than",
    "le": "less than or equal to",
    "gt": "greater than",
    "ge": "greater than or equal to",
}
_OTHERS = {
    "init": "Initialize the instance.",
    "new": "Create the instance.",
    "post_init": "Complete the initialization.",
    "init_subclass": "Initialize a subclass.",
    "class_getitem": "Return the class for the given type arguments.",
    "del": "Finalize the instance.",
    "repr": "Return a representation for developers.",
    "str": "Return a human-readable string.",
    "bytes": "Return the instance as bytes.",
    "format": "Return the formatted instance.",
    "hash": "Return the hash value.",
    "bool": "Return the truth value.",
    "int": "Return the instance as an integer.",
    "float": "Return the instance as a float.",
    "complex": "Return the instance as a complex number.",
    "index": "Return the instance as an index.",
    "round": "Return the rounded instance.",
    "trunc": "Return the truncated instance.",
    "floor": "Return the floor.",
    "ceil": "Return the ceiling.",
    "neg": "Return the negated instance.",
    "pos": "Return the instance with a plus sign.",
    "abs": "Return the absolute value.",
    "invert": "Return the bitwise inversion.",
    "divmod": "Return quotient and remainder.",
    "len": "Return the number of items.",
    "length_hint": "Return an estimate of the number of items.",
    "getitem": "Return the item for a key.",
    "setitem": "Set the item for a key.",
    "delitem": "Delete the item for a key.",
    "missing": "Return the value for a missing key.",
    "contains": "Return whether the item is contained.",
    "iter": "Return an iterator.",
    "reversed": "Return a reverse iterator.",
    "next": "Return the next item.",
    "aiter": "Return an asynchronous iterator.",
    "anext": "Return the next item asynchronously.",
    "await": "Return an iterator to be awaited.",
    "call": "Call the instance.",
    "enter": "Enter the context.",
    "exit": "Leave the context.",
    "aenter": "Enter the context asynchronously.",
    "aexit": "Leave the context asynchronously.",
    "getattr": "Return an attribute that was not found otherwise.",
    "getattribute": "Return an attribute.",
    "setattr": "Set an attribute.",
    "delattr": "Delete an attribute.",
    "dir": "Return the names of the attributes.",
    "get": "Return the attribute of an owner.",
    "set": "Set the attribute of an owner.",
    "delete": "Delete the attribute of an owner.",
    "set_name": "Store the owner and the name.",
    "copy": "Return a shallow copy.",
    "deepcopy": "Return a deep copy.",
    "reduce": "Return the data for pickling.",
    "reduce_ex": "Return the data for pickling.",
    "getstate": "Return the state to be pickled.",
    "setstate": "Restore the pickled state.",
    "getnewargs": "Return the arguments for unpickling.",
    "sizeof": "Return the size in bytes.",
    "fspath": "Return the path in the file system.",
    "instancecheck": "Return whether the given object is an instance.",
    "subclasscheck": "Return whether the given class is a subclass.",
    "prepare": "Return the namespace for the body of a class.",
}
SPECIAL: dict[str, str] = {
    **{f"__{name}__": said for name, said in _OTHERS.items()},
    **{f"__{name}__": f"Return the {said}." for name, said in _OPERATORS.items()},
    **{f"__r{name}__": f"Return the reflected {said}." for name, said in _OPERATORS.items()},
    **{f"__i{name}__": f"Update in place to the {said}." for name, said in _OPERATORS.items()},
    **{
        f"__{name}__": f"Return whether the instance is {said} the other."
        for name, said in _COMPARISONS.items()
    },
}
"""The summary for each special method."""


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


INITIALS = _listed("""api arn ascii aws cli cpu csrf css csv db dns dom fifo ftp gpu gui hmac html
    http https id ids io ip ipv4 ipv6 iso jpeg json jwt lru md5 ml nlp os pdf png ram rgb rpc
    rsa sha1 sha256 smtp sql ssh ssl svg tcp tls toml tsv tty ttl udp ui uri url urls utc utf8
    uuid xml xpath yaml yml""")
_VERBS = _listed("""abort accept access acquire activate adapt add adjust advance aggregate align
    allocate allow analyze annotate append apply archive arrange ask assemble assert
    assign attach authenticate authorize await backup balance begin bind bisect block boot
    bootstrap broadcast browse build bump cache calc calculate call cancel capitalize capture
    cast change charge check choose clamp classify clean cleanup clear click clone close
    collapse collect combine commit compare compile complete compress compute concat concatenate
    configure confirm connect construct consume contain continue convert copy correct count
    crawl create crop cut cycle debug decide declare decode decompress decorate decrease
    decrement decrypt deduplicate define delete deliver depart deposit derive describe deserialize
    destroy detach detect determine dial disable discard disconnect discover dispatch display
    divide do download downgrade draw drop dump duplicate echo edit emit enable encode encrypt
    end enqueue ensure enter enumerate escape estimate evaluate evict examine exchange exclude
    execute exit expand expect explain export expose extend extract fail fetch fill filter
    finalize find finish fire fit fix flatten flip flush fold follow force forget fork format
    forward freeze gather generate get give grab grant group grow guess halt handle hide
    highlight hydrate identify ignore import include increase increment indent index infer
    inform inherit init initialize inject insert inspect install instantiate
    interpolate interpret invalidate invert invoke issue iterate join keep kill launch lay learn
    leave limit link list listen load locate lock log login logout look lookup lower make manage
    map mark mask match measure merge migrate mock modify monitor mount move multiply mutate
    navigate negate normalize notify observe obtain offset open optimize
    order organize pack pad paint parse partition paste patch pause perform permute persist pick
    ping place plan play plot poll pop populate post predict prepare prepend preprocess present
    press prettify prevent print probe process produce promote prompt propagate provide prune
    publish pull purge push put query queue quit quote raise randomize read rebuild receive
    recommend record recover redirect reduce refine refresh refund register reject release
    reload relocate remember remove rename render reorder repair repeat replace replicate reply
    report request require reset reshape resize resolve respond restart restore restrict resume
    retrieve retry return reverse revert revoke rewrite roll rollback rotate round route run
    sample sanitize save say scale scan schedule score scrape scroll search seed seek select
    send separate serialize serve set setup shift show shrink shuffle shutdown
    simplify simulate skip sleep slice solve sort spawn split squash stack start stop store
    stream strip submit subscribe substitute subtract suggest sum summarize supply
    suspend swap switch sync synchronize take teardown tell terminate test throttle throw toggle
    tokenize touch trace track train transfer transform translate traverse trigger trim truncate
    try tune turn unescape uninstall unlock unpack unregister unset unsubscribe unwrap update
    upgrade upload upsert use validate verify visit wait walk warn watch withdraw wrap write
    yield zip""")
VERBS = _VERBS | {re.sub("(?<=[iy])z(?=e$)", "s", verb) for verb in _VERBS}
"""American and British spellings."""
JOINING = _listed("add combine compare concatenate join merge multiply swap")
"""Verbs whose objects are all of their arguments."""
STATES = _listed("""is are was were has have had can could should must will would needs need
    supports contains exists allows accepts requires matches equals starts ends includes""")
ACTIONS = _listed("sort search test check update merge split swap walk scan sum hash")


def words(name: str) -> list[str]:
    """Return the words of a name in lower case, except initials. There is at least one."""
    parts = [part.lower() if _is_word(part) else part for part in _PARTS.findall(name)]
    return [_spelled(part) for part in parts] or [name]


def text(parts: list[str]) -> str:
    """Return words with abbreviations written out."""
    return " ".join(_SHORT.get(part, part) for part in parts)


def capital(sentence: str) -> str:
    """Capitalize a sentence, unless it begins with a name in quotes."""
    return sentence[:1].upper() + sentence[1:]


def _is_word(part: str) -> bool:
    return not part.isupper() or len(part) > 5 or part.lower() in INITIALS or len(part) == 1


def _spelled(part: str) -> str:
    return _SPELLED.get(part, part.upper()) if part in INITIALS else part


def is_credential(name: str) -> bool:
    """Return whether a variable of this name may be a secret."""
    return bool(_CREDENTIAL.search(name))


def shown_type(node: ast.expr | None) -> str:
    """Return a type as it is written, without the quotes of a forward reference; empty if it is
    long."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _bounded(" ".join(node.value.split()))
    return _bounded(_source(node)) if node is not None else ""


def shown_default(node: ast.expr, name: str) -> str:
    """Return a default as it is written; empty if it is not to be repeated."""
    if isinstance(node, ast.Constant):
        value = node.value
        if value is None or value is ... or isinstance(value, bool):
            return str(value) if value is not ... else ""
        return "" if is_credential(name) or not _is_harmless(value) else _source(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        number = isinstance(node.operand.value, int | float)
        return _source(node) if number and not is_credential(name) else ""
    if isinstance(node, _EMPTY) and not ([*ast.iter_child_nodes(node)][1:] or _has_items(node)):
        return _source(node)
    if isinstance(node, ast.Name | ast.Attribute):
        text = _bounded(_source(node))
        return "" if any(part.startswith("_") for part in text.split(".")) else text
    return ""


def shown_condition(node: ast.expr, parameters: Collection[str]) -> str:
    """Return the source of a condition that only uses parameters, or an empty text."""
    text = _source(node)
    if not text or len(text) > _MAX_CHARACTERS or "`" in text:
        return ""
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id not in parameters and each.id not in _KNOWN:
            return ""
        if isinstance(each, ast.Name) and is_credential(each.id) and _has_constants(node):
            return ""
        if isinstance(each, ast.Attribute) and is_credential(each.attr) and _has_constants(node):
            return ""
        if isinstance(each, ast.Constant) and not _is_harmless(each.value):
            return ""
        if isinstance(each, ast.NamedExpr | ast.Await | ast.Lambda | ast.JoinedStr | ast.Yield):
            return ""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return text if names & set(parameters) else ""


def _has_constants(node: ast.expr) -> bool:
    return any(
        isinstance(each, ast.Constant) and each.value not in (None, True, False, "", 0)
        for each in ast.walk(node)
    )


def _has_items(node: ast.expr) -> bool:
    return bool(getattr(node, "elts", None) or getattr(node, "keys", None))


def _is_harmless(value: object) -> bool:
    """Return whether a docstring may repeat a constant."""
    if isinstance(value, str):
        return len(value) <= _MAX_TEXT and bool(_HARMLESS.fullmatch(value)) and ">>>" not in value
    if isinstance(value, bytes):
        return not value
    return len(str(value)) <= _MAX_TEXT if not isinstance(value, int) else abs(value) < 10**12


def _source(node: ast.expr) -> str:
    """Return an expression on one line; empty for what is long, or would not do in a docstring."""
    stack: list[ast.AST] = [node]
    nodes = 0
    while stack:
        stack.extend(ast.iter_child_nodes(stack.pop()))
        nodes += 1
        if nodes > _MAX_NODES:
            return ""
    try:
        text = ast.unparse(node)
    except (ValueError, RecursionError):
        return ""
    return text if '"""' not in text and _PLAIN.fullmatch(text) else ""


def _bounded(text: str) -> str:
    fits = len(text) <= _MAX_CHARACTERS and '"""' not in text and _PLAIN.fullmatch(text)
    return text if fits else ""
