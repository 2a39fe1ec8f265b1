"""What oxlint says of a whole project's file and is not worth saying of a piece of code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from codeintel_plugins.common.offsets import ByteOffsets
from codeintel_plugins.common.positions import Source
from codeintel_plugins.linters.oxlint.process import Diagnostic
from codeintel_plugins.linters.oxlint.rules import rule_of_code

_QUOTED = re.compile(r"'([^']+)'")
_TYPEOF = re.compile(r"\btypeof\s+\(?\s*([\w$]+)")
_MODULE = re.compile(r"^\s*(?:import\b|export\b)|\bmodule\.exports\b|\bexports\.", re.MULTILINE)
# A function or class at the outermost level of a script: others call it.
_OFFERED = re.compile(
    r"(?:(?:async\s+)?function\s*\*?|class)\s*\Z|(?:const|let|var)\s+(?=[\w$]+\s*=\s*"
    r"(?:async\b\s*)?(?:function\b|class\b|\(|[\w$]+\s*=>))"
)


def worth_saying(diagnostics: Iterable[Diagnostic], source: Source) -> Iterator[Diagnostic]:
    """Leave out what follows from seeing one file only: functions and classes that a script defines
    for others; all but the first place of an undefined name; names whose `typeof` is asked for."""
    offered = None if _MODULE.search(source.text) else _Offered(source)
    undefined = set(_TYPEOF.findall(source.text))
    for diagnostic in diagnostics:
        rule = rule_of_code(diagnostic.code)
        if rule == "no-unused-vars" and offered is not None and offered.has(diagnostic):
            continue
        if rule in {"no-undef", "react/jsx-no-undef"}:
            name = _QUOTED.search(diagnostic.message)
            if name is not None and name[1] in undefined:
                continue
            undefined.update(name.groups() if name is not None else ())
        yield diagnostic


class _Offered:
    """Which names a script defines for others."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._offsets = ByteOffsets(source)

    def has(self, diagnostic: Diagnostic) -> bool:
        """Whether it is about such a name."""
        if not diagnostic.labels:
            return False
        byte = diagnostic.labels[0].span.offset
        place = self._offsets.span(byte, byte)
        line = self._source.line(place.start_line)
        before = line[: place.start_column - 1]
        if _OFFERED.fullmatch(before):
            return True
        match = _OFFERED.match(line)
        return match is not None and match.end() == len(before)
