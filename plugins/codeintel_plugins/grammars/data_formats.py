"""Syntax errors in formats that have a reader of their own, which knows them better than a grammar.

Positions are offsets into the text in code points, from 0.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import NamedTuple
from xml.parsers import expat


class Fault(NamedTuple):
    """Where reading ends, and why."""

    offset: int
    message: str


class TooDeep(Exception):  # noqa: N818 - what happened
    """It is nested too deeply to be read."""


_TOML_PLACE = re.compile(r"(?P<what>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end)")
_COMMENT = re.compile(
    r'"(?:[^"\\\r\n]|\\.)*+"?|(?P<comment>//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?)'
)
_TRAILING_COMMA = re.compile(r'"(?:[^"\\\r\n]|\\.)*+"?|(?P<comma>,)(?=\s*[\]}])')
_TEMPLATE = re.compile(r"\{\{|\{%")


def json_fault(text: str) -> Fault | None:
    """What is wrong with JSON. Several documents one behind another are fine, and where there are
    comments, commas at the end of lists are too."""
    text = _plain_json(text)
    decoder = json.JSONDecoder()
    at = _skip(text, 0)
    try:
        while at < len(text):
            _, at = decoder.raw_decode(text, at)
            at = _skip(text, at)
    except json.JSONDecodeError as error:
        return _json_words(text, error)
    except RecursionError:
        raise TooDeep from None
    except ValueError:  # a number with more digits than Python reads
        return None
    return None


def _json_words(text: str, error: json.JSONDecodeError) -> Fault:
    before = text[: error.pos].rstrip()
    if before.endswith(",") and text[error.pos : error.pos + 1] in {"]", "}"}:
        return Fault(len(before) - 1, "Syntax error: nothing comes behind this comma.")
    what = f"{error.msg[:1].lower()}{error.msg[1:]}".removesuffix(" starting at")
    return Fault(error.pos, f"Syntax error: {what}.")


def _plain_json(text: str) -> str:
    def blank(match: re.Match[str]) -> str:
        comment = match["comment"]
        return match[0] if comment is None else re.sub(r"[^\r\n]", " ", comment)

    plain = _COMMENT.sub(blank, text)
    if plain == text:
        return text
    return _TRAILING_COMMA.sub(lambda match: " " if match["comma"] else match[0], plain)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def toml_fault(text: str) -> Fault | None:
    """What is wrong with TOML."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = _TOML_PLACE.match(str(error))
        what = match["what"] if match else "it cannot be read"
        offset = len(text.rstrip())
        if match and match["line"]:
            offset = _offset(text, int(match["line"]), int(match["column"]))
        return Fault(offset, f"Syntax error: {what[:1].lower()}{what[1:]}.")
    except RecursionError:
        raise TooDeep from None
    except ValueError:  # a date or a number that does not exist
        return None
    return None


def yaml_fault(text: str) -> Fault | None:
    """What is wrong with YAML. A template that becomes YAML is not looked at."""
    import yaml

    if _TEMPLATE.search(text):
        return None
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for _ in yaml.parse(text, Loader=loader):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        offset = _offset(text, mark.line + 1, mark.column + 1) if mark else 0
        return Fault(offset, f"Syntax error: {error.problem or 'it cannot be read'}.")
    except yaml.reader.ReaderError:  # a character that YAML does not allow
        return None
    except RecursionError:
        raise TooDeep from None
    return None


def xml_fault(text: str) -> Fault | None:
    """What is wrong with XML. Several elements side by side are taken for a part of a document, and
    nothing outside the text is read."""
    first = _expat(text, b"")
    if first is None or "<!DOCTYPE" in text or "<?xml" in text:
        return first
    part = _expat(text, b"<part>")
    return part and first


def _expat(text: str, before: bytes) -> Fault | None:
    parser = expat.ParserCreate("utf-8")
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.UseForeignDTD(True)  # entities may be defined elsewhere
    data = re.sub(r'(<\?xml[^>]{0,200}?encoding=)(["\'])[^"\']*\2', _utf8, text, count=1).encode()
    try:
        parser.Parse(before + data + (b"</part>" if before else b""), True)
    except expat.ExpatError as error:
        words = expat.errors.messages.get(error.code, "it cannot be read")
        shift = len(before) if error.lineno == 1 else 0
        line_start = _offset(text, error.lineno, 1)
        line = text[line_start:].encode()[: max(0, error.offset - shift)]
        offset = line_start + len(line.decode(errors="ignore"))
        return Fault(min(offset, len(text)), f"Syntax error: {words}.")
    return None


def _utf8(match: re.Match[str]) -> str:
    """The declaration, as long as before, with the encoding that the text is handed over in."""
    room = len(match[0]) - len(match[1]) - 2
    return f"{match[1]}{match[2]}{'utf-8'[:room].ljust(0)}{match[2]}".ljust(len(match[0]))


def _offset(text: str, line: int, column: int) -> int:
    """The offset of a line and column, both from 1, of text whose lines end at LF."""
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
        if at == 0:
            return len(text)
    return min(at + column - 1, len(text))


FAULTS: Mapping[str, Callable[[str], Fault | None]] = {
    "json": json_fault,
    "toml": toml_fault,
    "xml": xml_fault,
    "yaml": yaml_fault,
}
