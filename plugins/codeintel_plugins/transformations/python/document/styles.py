"""The three ways to write a docstring."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator

from codeintel_plugins.transformations.python.document.parameters import Entry
from codeintel_plugins.transformations.python.document.sentences import Description

_WIDTH = 80
_INDENT = "    "


def google(said: Description) -> str:
    """`Args:` with a line for each."""
    lines: list[str] = []
    for title, entries in (("Attributes", said.attributes), ("Args", said.parameters)):
        lines += _section(title, map(_google, entries))
    for title, given in (("Returns", said.returns), ("Yields", said.yields)):
        if given is not None:
            lines += _section(title, [f"{given.type}: {given.text}" if given.type else given.text])
    lines += _section("Raises", (f"{each.name}: {each.text}" for each in said.raises))
    return _quoted(said.summary, lines)


def numpy(said: Description) -> str:
    """Underlined titles."""
    lines: list[str] = []
    for title, entries in (("Attributes", said.attributes), ("Parameters", said.parameters)):
        lines += _underlined(title, map(_numpy, entries))
    for title, given in (("Returns", said.returns), ("Yields", said.yields)):
        if given is not None:
            lines += _underlined(title, [(given.type, given.text)])
    lines += _underlined("Raises", ((each.name, each.text) for each in said.raises))
    return _quoted(said.summary, lines)


def sphinx(said: Description) -> str:
    """Fields such as `:param name:`."""
    lines = []
    for field, kind, entries in (
        ("ivar", "vartype", said.attributes),
        ("param", "type", said.parameters),
    ):
        for each in entries:
            name = each.name.replace("*", "\\*")
            lines.append(f":{field} {name}: {each.text}")
            if each.type:
                lines.append(f":{kind} {name}: {each.type}{', optional' * each.optional}")
    for field, given in (("returns", said.returns), ("yields", said.yields)):
        if given is not None:
            lines.append(f":{field}: {given.text}")
            lines += [f":rtype: {given.type}"] if given.type and field == "returns" else []
    lines += [f":raises {each.name}: {each.text}" for each in said.raises]
    wrapped = [part for line in lines for part in _wrapped(line, "")]
    return _quoted(said.summary, ["", *wrapped] if wrapped else [])


STYLES: dict[str, Callable[[Description], str]] = {
    "google": google,
    "numpy": numpy,
    "sphinx": sphinx,
}


def _google(entry: Entry) -> str:
    marks = [entry.type] if entry.type else []
    marks += ["optional"] if entry.optional and not entry.name.startswith("*") else []
    kind = f" ({', '.join(marks)})" if marks else ""
    return f"{entry.name}{kind}: {entry.text}"


def _numpy(entry: Entry) -> tuple[str, str]:
    marks = [entry.type] if entry.type else []
    marks += ["optional"] if entry.optional and not entry.name.startswith("*") else []
    return f"{entry.name} : {', '.join(marks)}" if marks else entry.name, entry.text


def _section(title: str, entries: Iterable[str]) -> Iterator[str]:
    lines = [part for entry in entries for part in _wrapped(entry, _INDENT)]
    return iter(["", f"{title}:", *lines] if lines else [])


def _underlined(title: str, entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    lines = [
        part
        for head, text in entries
        for part in ([head, *_wrapped(text, _INDENT)] if head else [text])
    ]
    return iter(["", title, "-" * len(title), *lines] if lines else [])


def _wrapped(line: str, indent: str) -> list[str]:
    return textwrap.wrap(
        line,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + _INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _quoted(summary: str, lines: list[str]) -> str:
    """The source of the docstring, one that keeps backslashes as they are."""
    text = "\n".join([summary, *lines, ""]) if lines else summary
    prefix = "r" if "\\" in text else ""
    return f'{prefix}"""{text}"""'
