"""Extract comments and messages from the front end's scripts, and comments from its styles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prose_python import is_prose

TOKEN = re.compile(
    r"(?P<block>/\*.*?\*/)|(?P<line>//[^\n]*)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"
    r"|(?P<regex>(?<=[=(,:!&|?])\s*/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/)",
    re.DOTALL,
)
"""Comments, strings and expressions, in the order in which a script is read."""


def script_texts(source: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, kind and body of each comment, and of each string that looks like prose."""
    last = 0
    pending: list[str] = []
    for found in TOKEN.finditer(source):
        line = source.count("\n", 0, found.start()) + 1
        if found["line"] and pending and line == last + len(pending):
            pending.append(found["line"].lstrip("/ "))
            continue
        if pending:
            yield last, "comment", "\n".join(pending)
            pending = []
        if found["line"]:
            last, pending = line, [found["line"].lstrip("/ ")]
        elif found["block"]:
            body = re.sub(r"^\s*\* ?", "", found["block"][2:-2].lstrip("*"), flags=re.MULTILINE)
            yield line, "comment", body
        elif found["string"]:
            body = re.sub(r"\$\{[^}]*\}", "_", found["string"][1:-1])
            if is_prose(body):
                yield line, "message", body
    if pending:
        yield last, "comment", "\n".join(pending)


def style_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and body of each comment in a style sheet."""
    for found in re.finditer(r"/\*(.*?)\*/", source, re.DOTALL):
        yield source.count("\n", 0, found.start()) + 1, found[1].strip()
