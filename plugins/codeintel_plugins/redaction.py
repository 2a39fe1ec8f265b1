"""Keeping secrets' values out of what other tools say about the code."""

from __future__ import annotations

import re
from bisect import bisect_right

import msgspec
from msgspec import UNSET

from codeintel.contracts import Finding, Fix, FlowStep, Range
from codeintel_plugins.secrets import find_secrets
from codeintel_plugins.toolkit.positions import ToolSource, ends

_WINDOW = 8
_MAX_MESSAGE = 500
_MAX_STEP = 120
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")

# The tools' own messages about these repeat the value.
_HARD_CODED = {
    "105": "A literal is used where a password or another secret is expected.",
    "106": "A literal is passed as an argument that is named like a password or another secret.",
    "107": "A parameter that is named like a password or another secret has a literal default.",
}
_STATIC_MESSAGES = {
    f"{letter}{number}": message for number, message in _HARD_CODED.items() for letter in "SB"
}


class Redactor:
    """Takes the secrets of one piece of code out of findings about it."""

    def __init__(self, source: ToolSource) -> None:
        secrets = find_secrets(source.text)
        self._places = [ends(source.span(secret.start, secret.end)) for secret in secrets]
        # A tool may quote a value's beginning only, or its middle: any part this long counts.
        self._parts: set[str] = set()
        for secret in secrets:
            value = source.text[secret.start : secret.end]
            self._parts.update(value[i : i + _WINDOW] for i in range(max(1, len(value) - 7)))
        self._lengths = sorted({len(part) for part in self._parts})

    def redact(self, finding: Finding) -> Finding:
        """Return the finding with plain messages of at most 500 characters, and without a remedy
        or a fix that would repeat a secret."""
        message = _STATIC_MESSAGES.get(finding.rule_id)
        if message is None:
            message = plain(finding.message)
            if self._quotes_a_secret(finding.message):
                message = f"{finding.rule_id} applies here; its message would quote a secret."
        fix = finding.fix
        if isinstance(fix, Fix):
            leaks = finding.rule_id in _STATIC_MESSAGES or self._leaks(fix)
            fix = UNSET if leaks else msgspec.structs.replace(fix, message=plain(fix.message))
        remedy = finding.remedy
        if isinstance(remedy, str):
            remedy = UNSET if self._quotes_a_secret(remedy) else plain(remedy)
        flow = finding.flow
        if isinstance(flow, tuple):
            flow = tuple(self._step(step) for step in flow)
        return msgspec.structs.replace(finding, message=message, remedy=remedy, fix=fix, flow=flow)

    def _step(self, step: FlowStep) -> FlowStep:
        """Return a step without what it quotes of the code, if that is a secret."""
        leaks = self._quotes_a_secret(step.message)
        message = "continues here" if leaks else plain(step.message)[:_MAX_STEP]
        return msgspec.structs.replace(step, message=message)

    def _leaks(self, fix: Fix) -> bool:
        return self._quotes_a_secret(fix.message) or any(
            edit.content
            and (self._touches_a_secret(edit.range) or self._quotes_a_secret(edit.content))
            for edit in fix.edits
        )

    def _quotes_a_secret(self, text: str) -> bool:
        return any(
            text[i : i + length] in self._parts
            for length in self._lengths
            for i in range(len(text) - length + 1)
        )

    def _touches_a_secret(self, place: Range) -> bool:
        """Return whether the range overlaps a secret: the edit may have the value in another
        spelling.
        """
        start, end = ends(place)
        before = bisect_right(self._places, (start, end))
        around = self._places[max(0, before - 1) : before + 1]
        return any(first < end and start < last for first, last in around)


def plain(message: str) -> str:
    """Return the message without control and direction characters, which could forge or hide
    text, and cut at 500 characters."""
    text = _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", message)
    return text if len(text) <= _MAX_MESSAGE else f"{text[: _MAX_MESSAGE - 1]}…"
