"""Messages of findings: the rule's title, then the value and the call at fault."""

from __future__ import annotations

import re

from codeintel.engine.dataflow.called import called_name
from codeintel.engine.dataflow.values import Kind, Label

MAX_MESSAGE = 200
_MAX_QUOTE = 40
_QUOTABLE = re.compile(r"[\w$@.\[\]\"'()<>:&*?! ,/-]+")
_VARIABLE = re.compile(r"[$@]{0,2}\w+(?:(?:\??\.|->|::)\$?\w+|\[[\w\"'$ ]{1,24}\])*")
_FIRST_WORD = re.compile(r"[\w$@./-]+[?!]?")
_WORD = re.compile(r"`[$@]?\w+`")
_ASSIGNED = "assigned to "


def quoted(code: str) -> str:
    """Return code in backticks. Return an empty string if it is long or has unusual characters."""
    text = " ".join(code.split())
    if not text or len(text) > _MAX_QUOTE or _QUOTABLE.fullmatch(text) is None:
        return ""
    return f"`{text}`"


def call_name(code: str) -> str:
    """Return the function of a call such as `` `cursor.execute()` ``. Return an empty string if
    the code is no call."""
    whole = called_name(code)
    if whole is None:
        word = _FIRST_WORD.match(code)
        return quoted(word[0]) if word else ""
    return whole and (quoted(f"{whole}()") or quoted(f"{re.split(r'[.>:]', whole)[-1]}()"))


def reaches(title: str, value: str, label: Label, origin: str, sink: str) -> str:
    """Return the message about a value that reaches a sink.

    :param value: the expression at the sink.
    :param label: what is known about the origin of the value.
    :param origin: the code at the origin.
    :param sink: the call, or in words what the value reaches.
    """
    return shortened(f"{title}: {_told(_variable(value), label, origin)} reaches {sink}.")


def _variable(code: str) -> str:
    """Return a variable, member or element in backticks; an empty string for other code."""
    text = code.strip("\"'&* \n").replace("${", "$", 1).removesuffix("}")
    return quoted(text) if _VARIABLE.fullmatch(text) else ""


def _told(value: str, label: Label, origin: str) -> str:
    value = value or _assigned(label)
    if label.kind is Kind.PARAMETER:
        parameter = f"`{label.what.removeprefix('the parameter ')}`"
        if value in ("", parameter):
            return f"parameter {parameter}"
        return f"{value} from parameter {parameter}"
    source = quoted(origin.strip("&* \n"))
    if not source:
        return f"{value} from {label.what}" if value else label.what
    if value and _declares(origin, value[1:-1]):
        return f"{value} ({label.what})"
    if _WORD.fullmatch(source):
        source = f"{source} ({label.what})"
    return f"{value} from {source}" if value else source


def _declares(origin: str, name: str) -> bool:
    """Return whether the code at the origin is the variable itself, or declares it."""
    declared = rf"(?:\A|[\s&*,{{]){re.escape(name)}(?:\s*[:?=}}].*)?\Z"
    return re.search(declared, origin.strip(), re.DOTALL) is not None


def _assigned(label: Label) -> str:
    """Return the variable that the value was assigned to last, in backticks."""
    for step in reversed(label.steps):
        if step.what.startswith(_ASSIGNED):
            return _variable(step.what.removeprefix(_ASSIGNED))
    return ""


def shortened(message: str) -> str:
    """Return the message, cut at the longest that is shown."""
    return message if len(message) <= MAX_MESSAGE else f"{message[: MAX_MESSAGE - 1]}…"
