"""Find what frameworks connect: the values that templates get, and the functions behind routes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from codeintel.engine.dataflow.interpreting.interpreter import Frame, Interpreter
from codeintel.engine.dataflow.ir import Argument, Call, Expr, Join, Keyed, Literal, Member, Name
from codeintel.engine.dataflow.tree import Span
from codeintel.engine.dataflow.values import HARMLESS, Value

BAGS = frozenset({"ViewBag", "ViewData", "TempData"})
"""Objects of ASP.NET that bring values to a template."""
ANY = "*"
"""Stands for all variables of a template, if a whole object is passed."""
MODEL = "Model"

_RENDERS = {
    "python": frozenset(
        {"render_template", "render", "render_to_string", "TemplateResponse", "render_async"}
    ),
    "javascript": frozenset({"render", "renderFile", "view"}),
    "typescript": frozenset({"render", "renderFile", "view"}),
    "php": frozenset({"view", "render", "make", "renderView", "with", "display"}),
    "ruby": frozenset({"render", "erb", "haml", "slim"}),
    "csharp": frozenset({"View", "PartialView"}),
    "java": frozenset({"addAttribute", "addObject", "setAttribute", "setVariable"}),
}
_ROUTES = frozenset({"path", "re_path", "url", "add_url_rule"})
_HANDLER_KEYWORDS = frozenset({"view", "view_func"})
_CAPTURED = re.compile(r"<(?:(?:str|slug|path|string):)?(\w+)>|\(\?P<(\w+)>(?!\\d|\[0-9\])")


class Rendered(NamedTuple):
    """Values for a template. `template` is its name, or empty if it is not known.

    Each value is given by its place, or is known already, as for names that PHP's `compact` gets.
    """

    template: str
    values: tuple[tuple[str, Span | Value], ...]


def rendered_by(
    interpreter: Interpreter, call: Call, frame: Frame, language: str
) -> Rendered | None:
    """Return the values that a call gives to a template, or None."""
    name = _last(call.callee)
    if name not in _RENDERS.get(language, ()):
        return None
    if language == "java":
        key, *rest = call.args or (None,)
        if key is None or len(rest) != 1 or not isinstance(key.value, Literal):
            return None
        return Rendered("", ((key.value.text, rest[0].value.span),))
    if name == "with" and language == "php":
        inner = call.callee.object if isinstance(call.callee, Member) else None
        if not isinstance(inner, Call) or _last(inner.callee) not in ("view", "make"):
            return None
        template = _template(inner.args)
        if len(call.args) == 2 and isinstance(call.args[0].value, Literal):
            return Rendered(template, ((call.args[0].value.text, call.args[1].value.span),))
        return Rendered(template, tuple(_values(call.args, language, frame)))
    template = _template(call.args)
    if language == "csharp" and not template:
        template = f"{frame.owner.removesuffix('Controller')}/{_function(interpreter)}"
    if not template:
        return None
    values = tuple(_values(call.args, language, frame))
    return Rendered(template, values) if values else None


def _last(callee: Expr) -> str:
    return callee.name if isinstance(callee, Member) else getattr(callee, "id", "")


def _function(interpreter: Interpreter) -> str:
    for function in interpreter.program.functions:
        if interpreter.stack and function.span == interpreter.stack[-1]:
            return function.name
    return ""


def _template(args: tuple[Argument, ...]) -> str:
    for argument in args[:2]:
        value = argument.value
        if isinstance(value, Literal) and argument.keyword in (None, "name", "template", "action"):
            return value.text
    return ""


def _values(
    args: tuple[Argument, ...], language: str, frame: Frame
) -> Iterator[tuple[str, Span | Value]]:
    for position, argument in enumerate(args):
        value = argument.value
        while isinstance(value, Join) and len(value.parts) == 1:
            value = value.parts[0]
        kept = frame.expr_of(value.id) if isinstance(value, Name) else None
        if isinstance(kept, Keyed) and language != "csharp":
            value = kept
        if isinstance(value, Keyed):
            for key, part in value.entries:
                if key is not None and isinstance(part, Keyed) and key == "locals":
                    yield from ((name, e.span) for name, e in part.entries if name is not None)
                elif key is not None:
                    yield key, part.span
        elif isinstance(value, Call) and _last(value.callee) == "compact":
            for each in value.args:
                if isinstance(each.value, Literal):
                    name = each.value.text
                    yield name, frame.read(f"${name}") or HARMLESS
        elif isinstance(value, Literal):
            continue
        elif argument.keyword is not None:
            yield argument.keyword, value.span
        elif language == "csharp":
            yield MODEL, value.span
        elif position and language != "python":
            yield ANY, value.span


def routed_by(call: Call, language: str) -> Expr | None:
    """Return the function that a call registers for a route, or None."""
    if language != "python" or _last(call.callee) not in _ROUTES or len(call.args) < 2:
        return None
    for argument in call.args[1:]:
        if argument.keyword is None or argument.keyword in _HANDLER_KEYWORDS:
            value = argument.value
            if isinstance(value, Call) and _last(value.callee) == "as_view":
                return None
            return value if isinstance(value, Name | Member) else None
    return None


def captured_by(call: Call) -> tuple[str, ...]:
    """Return the names of the parts of an address that a view gets as text."""
    pattern = call.args[0].value if call.args else None
    if not isinstance(pattern, Literal):
        return ()
    return tuple(one or other for one, other in _CAPTURED.findall(pattern.text))
