"""Rust's operator that hands a failure on: which values have one, and of which type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.facts.conditions import is_tight
from codeintel_plugins.transformations.structural.facts.declarations import types_of
from codeintel_plugins.transformations.structural.facts.owned import no_type
from codeintel_plugins.transformations.structural.nodes import named
from codeintel_plugins.transformations.structural.patches import Edit
from codeintel_plugins.transformations.structural.reading import Reading

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_STD_OPTIONS = re.compile(r"next|pop|pop_front|pop_back|checked_\w+|last_mut|take")
_RESULT = re.compile(r"((?:\w+::)*Result)<(.*)>")


def question_mark(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
    """A `match` that hands a failure on, as `?`."""
    value, body = node.field("value"), node.field("body")
    arms = named(body) if body is not None else []
    if value is None or len(arms) != 2 or not is_tight(value):
        return []
    texts = []
    for arm in arms:
        pattern, result = arm.field("pattern"), arm.field("value")
        if pattern is None or result is None:
            return []
        texts.append(("".join(pattern.text().split()), " ".join(result.text().split())))
    texts.sort(reverse=True)
    (good, kept), (bad, gone) = texts
    if bad.startswith(("Ok(", "Some(")):
        (good, kept), (bad, gone) = (bad, gone), (good, kept)
    name = re.fullmatch(r"(Ok|Some)\(([a-z_]\w*)\)", good)
    if name is None or kept != name[2]:
        return []
    if name[1] == "Some":
        if bad not in ("None", "_") or gone != "return None":
            return []
    else:
        error = re.fullmatch(r"Err\(([a-z_]\w*)\)", bad)
        if error is None or gone != f"return Err({error[1]})":
            return []
    if any(str(each.kind()) in ("closure_expression", "async_block") for each in node.ancestors()):
        return []
    if any(each.text().startswith("#") for each in arms):
        return []
    if not _results(reading, node, value, "Option" if name[1] == "Some" else "Result"):
        return []
    return [Edit(*reading.span(node), f"{reading.source(value)}?")]


def _results(reading: Reading, node: SgNode, value: SgNode, failure: str) -> bool:
    """Whether a value is surely an Option, or a Result whose failure is that of the function."""
    own = next((each for each in node.ancestors() if each.kind() == "function_item"), None)
    head = reading.text[reading.span(own).start :] if own is not None else ""
    if own is None or re.match(r"(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?const\b", head):
        return False
    given = own.field("return_type")
    if given is None or not no_type(reading, node, ["Option", "Result", "Some", "Ok", "Err"]):
        return False
    typed = _type_of_value(reading, value)
    if typed is None:
        return False
    if failure == "Option":
        return all(each.startswith("Option<") for each in (typed, given.text()))
    wanted = _RESULT.fullmatch("".join(given.text().split()))
    found = _RESULT.fullmatch("".join(typed.split()))
    if wanted is None or found is None or wanted[1] != found[1]:
        return False
    return _error(wanted[2]) == _error(found[2])


def _error(listed: str) -> str:
    """The last of the types in a list, if it has two."""
    depth = 0
    for place, sign in reversed(list(enumerate(listed))):
        depth += (sign in ">)]") - (sign in "<([")
        if sign == "," and not depth:
            return listed[place + 1 :]
    return ""


def _type_of_value(reading: Reading, value: SgNode) -> str | None:
    """The type that the code says a value has."""
    if value.kind() == "identifier":
        types = types_of(reading, value)
        return types[0] if types is not None and len(types) == 1 else None
    function = value.field("function") if value.kind() == "call_expression" else None
    if function is None:
        return None
    name = function.field("field") or function.field("name") or function
    made = [
        above
        for each in reading.root.find_all({"rule": {"kind": "identifier"}})
        if each.text() == name.text()
        and (above := each.parent()) is not None
        and str(above.kind()) in ("function_item", "function_signature_item", "let_declaration")
        and (above.field("name") or above.field("pattern")) == each
    ]
    if not made and function.kind() == "field_expression":
        return "Option<>" if _STD_OPTIONS.fullmatch(name.text()) else None
    if len(made) != 1 or made[0].kind() != "function_item":
        return None
    typed = made[0].field("return_type")
    if typed is None or made[0].field("type_parameters") is not None:
        return None
    return typed.text()
