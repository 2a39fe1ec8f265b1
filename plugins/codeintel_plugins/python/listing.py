"""What ruff and bandit look for here, for listings.

Ruff itself tells which rules the options select, and what it calls each; it is asked once, with a
file of ours. The words for bandit's tests are ours: to ask bandit is to import it.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from functools import cache

from msgspec import UNSET, UnsetType

from codeintel.contracts import Confidence, RuleInfo, Severity
from codeintel_plugins.python.ruff_process import ruff_binary
from codeintel_plugins.python.ruff_words import remedy, summary
from codeintel_plugins.python.rules import Rule, bandit_rule, ruff_rule

_SECONDS = 10
_ENABLED = re.compile(r"^linter\.rules\.enabled = \[\n(.*?)^\]", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"^\s+([a-z0-9-]+) \(([A-Z]+[0-9]+)\),?$", re.MULTILINE)
_SYNTAX_ERROR = "invalid-syntax"

_BANDIT = {
    "B113": "A request over HTTP has no timeout.",
    "B201": "Flask runs with its debugger, which lets callers run code.",
    "B304": "A cipher is broken or weak.",
    "B305": "A cipher is used in a weak mode.",
    "B306": "mktemp() lets others make the file first.",
    "B312": "Telnet sends everything in clear text.",
    "B323": "TLS certificates are not checked.",
    "B501": "TLS certificates are not checked in a request.",
    "B502": "A version of TLS is asked for that is broken.",
    "B503": "The default version of TLS is one that is broken.",
    "B505": "A key is too short for its algorithm.",
    "B507": "SSH takes any host key.",
    "B508": "A version of SNMP is used that sends everything in clear text.",
    "B509": "SNMP is used without authentication or encryption.",
    "B609": "A shell command has a wildcard, by which names of files become options.",
    "B612": "logging.config.listen() takes settings from anybody, which run code.",
    "B613": "Characters that reorder text make code read other than it runs.",
}


@cache
def ruff_rules(options: tuple[str, ...]) -> Sequence[RuleInfo]:
    """The rules that these options select, in order of id.

    :raises subprocess.SubprocessError: if ruff cannot say; ValueError, if it says something else.
    """
    names = _names(options)
    words = {rule_id: summary(rule_id, name) for rule_id, name in names.items()} | {
        f"S{test_id[1:]}": text for test_id, text in _BANDIT.items() if f"S{test_id[1:]}" in names
    }
    return tuple(
        _info(code, text, ruff_rule(code), remedy(names[code]))
        for code, text in sorted(words.items())
    )


@cache
def _names(options: tuple[str, ...]) -> dict[str, str]:
    """What ruff calls the rules that these options select, by id; a syntax error has no name."""
    command = [ruff_binary(), "check", "--isolated", "--no-cache", "--show-settings", *options]
    shown = subprocess.run(  # noqa: S603 - our own tool, our own arguments
        [*command, __file__],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=_SECONDS,
    )
    enabled = _ENABLED.search(shown.stdout)
    if enabled is None:
        raise ValueError("ruff does not say which rules it has")
    return {code: name for name, code in _RULE.findall(enabled[1])} | {_SYNTAX_ERROR: ""}


def bandit_rules() -> Sequence[RuleInfo]:
    """The tests that run, in order of id."""
    return tuple(
        _info(test_id, text, bandit_rule(test_id, Severity.MEDIUM, Confidence.MEDIUM, None))
        for test_id, text in sorted(_BANDIT.items())
    )


def _info(rule_id: str, text: str, rule: Rule, what_to_do: str | UnsetType = UNSET) -> RuleInfo:
    return RuleInfo(
        id=rule_id,
        summary=text,
        cwe=rule.cwe,
        severity=rule.severity,
        confidence=rule.confidence,
        category=rule.category,
        remedy=what_to_do,
    )
