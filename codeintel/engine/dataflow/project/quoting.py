"""Reduce code to the parts that summaries keep: names, and digests that recognize equal code."""

from __future__ import annotations

import hashlib
import re

from codeintel.engine.dataflow.called import called_name

MAX_NAME = 40
"""Maximum length of a name that a message quotes."""
_NAME = re.compile(r"[$@]?\w+(?:(?:\.|->|::)\$?\w+)*")
_MEMBER_OF_RESULT = re.compile(r"\)\.[\w$]{1,80}\Z")
"""A member of a call's result, to which a value is assigned, such as `find("x").innerHTML`."""
_NUMBER = re.compile(r"\d")
_IDENTIFIER = re.compile(r"[$@&*:.]{0,3}\w{1,80}[?!:]?")
_PATH = re.compile(r"[\w.$@#?!()\\:-]{0,300}")
_MODULE = re.compile(r"[^\s\"'`;{}()<>]{1,300}")
_WORDS = re.compile(
    r"(assigned to|returned by|passed through|passed to|copied by|assigned by|read from"
    r"|the parameter|the result of) (.*)",
    re.DOTALL,
)
_UNNAMED = "an expression"
_KEY = re.compile(r"[$@]?[A-Za-z_][\w.$-]{0,79}|\*")
_TEMPLATE = re.compile(r"[\w./:@~-]{1,200}")
_MAX_DIGESTED = 100
_DIGITS = 16


def name_of(code: str) -> str:
    """Return an expression that is a short name, or an empty text for any other."""
    found = _NAME.fullmatch(code)
    if found is None or _NUMBER.match(code) or len(code) > MAX_NAME:
        return ""
    return code


def function_of(code: str) -> str:
    """Return the short name of the function that an expression calls, or an empty text."""
    found = "" if _MEMBER_OF_RESULT.search(code) else called_name(code) or ""
    return found if _NAME.fullmatch(found) and len(found) <= MAX_NAME else ""


def key_of(text: str) -> str:
    """Return a key that can be the name of a variable, or an empty text."""
    return text if _KEY.fullmatch(text) else ""


def identifier_of(text: str) -> str:
    """Return the name of a function, a variable or a parameter, or an empty text for a pattern."""
    return text if _IDENTIFIER.fullmatch(text) else ""


def path_of(text: str) -> str:
    """Return a dotted name, or an empty text for any other."""
    return text if _PATH.fullmatch(text) else ""


def is_module(text: str) -> bool:
    """Return whether a text can be the name of a module."""
    return _MODULE.fullmatch(text) is not None


def words_of(text: str) -> str:
    """Return the words of a step, in which an expression without a name has no code."""
    found = _WORDS.fullmatch(text)
    if found is None or found[2] == "a call()" or path_of(found[2].replace(" as ", "")):
        return text
    return f"{found[1]} {_UNNAMED}"


def template_of(text: str) -> str:
    """Return a text that can be the name of a template, or an empty text."""
    return text if _TEMPLATE.fullmatch(text) else ""


def digest_of(*codes: str) -> str:
    """Return a short digest that stays the same while only spaces change."""
    parts = (" ".join(each.split())[:_MAX_DIGESTED] for each in codes)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:_DIGITS]
