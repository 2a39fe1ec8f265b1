"""Parting a model's answer, as it comes in, into prose and the one block of new code. Pure.

The model is asked for a few words and then the whole file between fences. The code may have fences
of its own, in a docstring or in Markdown: so the block ends at the last closing fence that is at
least as long as the one that opened it.
"""

from __future__ import annotations

import re

# What is taken for the fence stays it: a model can write very long lines.
_OPENING = re.compile(r" {0,3}(?P<fence>`{3,}+|~{3,}+)[^`\n]*\n")
_MAY_OPEN = re.compile(r" {0,3}(?:[`~]{0,2}|(?:`{3,}+|~{3,}+)[^`\n]{0,60})")


class CodeReply:
    """Feed it the answer piece by piece."""

    def __init__(self) -> None:
        self._fence: str | None = None
        """The opening fence, once it was there."""
        self._line = ""
        """Of the prose, a line that may become a fence."""
        self._is_prose = False
        """Whether the line that goes on is no fence for sure."""
        self._block: list[str] = []

    def feed(self, text: str) -> str:
        """The next piece; returns what is prose for sure."""
        said = []
        while text:
            if self._fence is not None:
                self._block.append(text)
                break
            line, end, text = text.partition("\n")
            said.append(self._take(line + end))
        return "".join(said)

    def end(self) -> str:
        """The answer is over: returns the prose that was still held back."""
        said, self._line = self._line, ""
        return said

    @property
    def code(self) -> str | None:
        """The code of a whole block; None if there was none, or the answer ended within it."""
        if self._fence is None:
            return None
        mark, least = re.escape(self._fence[0]), len(self._fence)
        closing = re.compile(rf"^ {{0,3}}{mark}{{{least},}}[ \t]*\r?$", re.MULTILINE)
        block = "".join(self._block)
        found = list(closing.finditer(block))
        return block[: found[-1].start()] if found else None

    def _take(self, piece: str) -> str:
        """A piece of one line, with its end if that is there."""
        if self._is_prose:
            self._is_prose = not piece.endswith("\n")
            return piece
        line = self._line + piece
        opening = _OPENING.fullmatch(line)
        if opening is not None:
            self._fence, self._line = opening["fence"], ""
            return ""
        if not line.endswith("\n") and _MAY_OPEN.fullmatch(line):
            self._line = line
            return ""
        self._line, self._is_prose = "", not line.endswith("\n")
        return line
