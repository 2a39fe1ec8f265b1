"""What stands in scripts of SQL and is none, made into something that parses. All stay as long as
they are, so places stay what they are. Pure."""

from __future__ import annotations

import re

_BATCH_END = re.compile(
    r"^[ \t]*(?:GO(?:[ \t]+\d+)?|/)[ \t]*;?[ \t]*\r?$", re.IGNORECASE | re.MULTILINE
)
_CLIENT_COMMAND = re.compile(
    r"^[ \t]*(?:\\[A-Za-z!?].*|(?:PROMPT|SPOOL|WHENEVER|REM)\b.*|\.(?:mode|headers?|tables|schema|"
    r"import|read|open|dump|output|echo)\b.*"
    r"|SET[ \t]+(?:SERVEROUTPUT|ECHO|FEEDBACK|LINESIZE|PAGESIZE|VERIFY|TERMOUT|DEFINE)\b.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_DELIMITER = re.compile(r"^[ \t]*DELIMITER[ \t]+(\S+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_COPIED_ROWS = re.compile(
    r"(?<=;)(?<=stdin;)[ \t]*\r?\n.*?^\\\.", re.IGNORECASE | re.MULTILINE | re.DOTALL
)
_PARAMETER = re.compile(r"%(?:\((?P<name>\w{1,60})\))?[sd](?!\w)")
_TEMPLATE_TAG = re.compile(r"\{%.{0,500}?%\}|\{#.{0,500}?#\}", re.DOTALL)
_TEMPLATE_VALUE = re.compile(
    r"\{\{.{0,500}?\}\}|[$#]\{[^{}\r\n]{1,100}\}|(?<!\w)\{[A-Za-z_][\w.]{0,60}\}", re.DOTALL
)


def masked(text: str) -> str:
    """The script without what only its client understands, and with a name or a parameter where a
    template or a driver puts a value."""
    if "\n\\." in text:
        text = _COPIED_ROWS.sub(_blank, text)
    text = _without_delimiters(text)
    text = _CLIENT_COMMAND.sub(_blank, text)
    text = _BATCH_END.sub(_separator, text)
    text = _TEMPLATE_TAG.sub(_blank, text)
    text = _TEMPLATE_VALUE.sub(_name, text)
    return _PARAMETER.sub(_parameter, text)


def _without_delimiters(text: str) -> str:
    """A client's own sign for the end of a statement becomes a semicolon."""
    signs = sorted({match[1] for match in _DELIMITER.finditer(text)} - {";"})
    text = _DELIMITER.sub(_blank, text)
    for sign in signs:
        text = re.sub(rf"{re.escape(sign)}(?=[ \t]*\r?$)", _separator, text, flags=re.MULTILINE)
    return text


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\r\n]", " ", match[0])


def _separator(match: re.Match[str]) -> str:
    return ";" + re.sub(r"[^\r\n]", " ", match[0][1:])


def _name(match: re.Match[str]) -> str:
    return re.sub(r"[^\r\n]", "x", match[0])


def _parameter(match: re.Match[str]) -> str:
    if match["name"] is None:
        return "? "
    return f":{match['name']}".ljust(len(match[0]))
