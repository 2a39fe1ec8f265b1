"""Metadata of rules: severity, confidence and weakness class.

The tables name a rule or a prefix of rules. The longest match counts. A line is
`rules severity confidence CWE category`. `-` means that no weakness class fits.

For listings, ruff itself reports which rules the options select, and their names. It runs once,
with this file as input. Titles and other texts are in `texts/`.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from codeintel.contracts import Category, Confidence, RuleInfo, Severity
from codeintel_plugins.python.ruff_process import ruff_binary


class Rule(NamedTuple):
    """Metadata of one rule. `cwe` is like `CWE-89`."""

    severity: Severity
    confidence: Confidence
    cwe: str | None
    category: Category


# Bandit's tests by number, with our grades; ruff's S rules have the same numbers and inherit the
# row. What is not here is dropped, for the reason that `_DROPPED` gives.
_BANDIT = """
113     low    medium CWE-400 correctness
201     high   high   CWE-489 security
304,305 high   high   CWE-327 security
306     medium high   CWE-377 security
312     high   high   CWE-319 security
323     medium high   CWE-295 security
501     high   high   CWE-295 security
502     high   high   CWE-327 security
503     medium medium CWE-327 security
505     high   high   CWE-326 security
507     high   medium CWE-295 security
508,509 medium high   CWE-319 security
609     high   medium CWE-155 security
612     medium high   CWE-94  security
613     high   medium CWE-838 security
"""

_RUFF = """
invalid-syntax       critical high   -        correctness
F                    medium   high   -        correctness
F401,F811            low      high   -        unused code
F841,F842            low      high   CWE-563  unused code
F403                 low      high   -        maintainability
F405                 low      low    -        correctness
F50,F52              high     high   -        correctness
F504,F522,F523       low      high   -        unused code
F541                 info     high   -        maintainability
F601,F602            medium   high   CWE-462  correctness
F63                  high     high   -        correctness
F631,F634            high     high   CWE-571  correctness
F632                 medium   high   CWE-597  correctness
F7,F82               high     high   -        correctness
E9                   high     high   -        correctness
E711,E721            low      high   -        correctness
E722                 medium   high   CWE-396  correctness
W605                 low      high   -        correctness
A                    low      medium -        maintainability
ARG                  info     medium -        unused code
ASYNC                medium   medium -        correctness
ASYNC2               medium   high   -        performance
B                    medium   high   -        correctness
B007,B009,B010       info     high   -        maintainability
B008                 low      medium -        correctness
B011,B024,B027,B904  low      high   -        maintainability
B012                 high     high   CWE-584  correctness
B019                 medium   medium CWE-401  performance
B028,B905,B911,B912  info     medium -        correctness
B015                 medium   high   CWE-482  correctness
B025                 medium   high   CWE-561  correctness
B018                 low      medium -        correctness
BLE                  medium   medium CWE-396  correctness
C4                   info     high   -        performance
C901                 low      high   CWE-1121 complexity
DJ                   low      high   -        maintainability
DJ006,DJ007          low      high   CWE-915  security
DTZ                  low      medium -        correctness
ERA                  info     low    -        unused code
FAST                 low      high   -        maintainability
FLY,FURB             info     high   -        maintainability
G                    info     high   -        performance
G001,G002,G003       low      high   -        performance
G101                 high     high   -        correctness
INT                  medium   high   -        correctness
ISC                  low      medium -        correctness
LOG                  low      high   -        correctness
NPY,PD               low      medium -        correctness
PERF                 low      medium -        performance
PERF203              info     low    -        performance
PGH                  low      high   -        maintainability
PIE                  info     high   -        maintainability
PIE794,PIE796        medium   high   -        correctness
PLC                  info     high   -        maintainability
PLE                  high     high   -        correctness
PLE25                medium   high   -        correctness
PLE2502              high     high   CWE-838  security
PLR                  info     high   -        maintainability
PLR0124,PLR0133      medium   high   CWE-570  correctness
PLR0206,PLR1708      high     high   -        correctness
PLR0913,PLR0915      low      high   -        complexity
PLR1704              low      medium -        correctness
PLW                  medium   high   -        correctness
PLW0108,PLW0120      info     high   -        maintainability
PLW0128              low      high   CWE-563  unused code
PLW0129              medium   high   CWE-571  correctness
PLW0133              medium   high   CWE-390  correctness
PLW0177              medium   high   CWE-570  correctness
PLW06                low      high   -        maintainability
PLW1510              low      medium CWE-252  correctness
PLW1641              low      medium -        correctness
PLW2901              low      medium -        correctness
PLW3301              info     high   -        maintainability
PTH                  info     high   -        maintainability
RET                  info     high   -        maintainability
RET503               low      high   -        correctness
RSE                  info     high   -        maintainability
RUF                  low      medium -        maintainability
RUF001,RUF002,RUF003 low      low    -        correctness
RUF006,RUF008,RUF009 medium   high   -        correctness
RUF016,RUF024        medium   high   -        correctness
RUF017               medium   high   CWE-407  performance
RUF059               info     high   CWE-563  unused code
RUF064               low      medium CWE-732  security
SIM                  info     high   -        maintainability
SIM107               medium   high   CWE-584  correctness
SIM115               low      low    CWE-772  correctness
SIM220,SIM223        medium   high   CWE-570  correctness
SIM221,SIM222        medium   high   CWE-571  correctness
T10                  medium   high   CWE-489  correctness
TRY                  low      medium -        maintainability
UP                   info     high   -        maintainability
YTT                  medium   high   -        correctness
"""

_UNKNOWN = Rule(Severity.LOW, Confidence.LOW, None, Category.MAINTAINABILITY)


def _parsed(table: str) -> dict[str, Rule]:
    rules = {}
    for row in table.strip().splitlines():
        names, severity, confidence, cwe, category = row.split(maxsplit=4)
        rule = Rule(
            Severity(severity),
            Confidence(confidence),
            None if cwe == "-" else cwe,
            Category(category),
        )
        rules.update(dict.fromkeys(names.rstrip("*").split(","), rule))
    return rules


_BANDIT_RULES = _parsed(_BANDIT)
_RUFF_RULES = _parsed(_RUFF) | {f"S{number}": rule for number, rule in _BANDIT_RULES.items()}


@cache
def ruff_rule(rule_id: str) -> Rule:
    """Return the metadata of one of ruff's rules, such as `F401` or `invalid-syntax`."""
    for length in range(len(rule_id), 0, -1):
        if (rule := _RUFF_RULES.get(rule_id[:length])) is not None:
            return rule
    return _UNKNOWN


def bandit_rule(test_id: str, severity: Severity, confidence: Confidence, cwe: str | None) -> Rule:
    """Return the metadata of a bandit test, such as `B501`.

    If the table does not have the test, the values that bandit reports for the finding are used.
    """
    known = _BANDIT_RULES.get(test_id[1:])
    return known or Rule(severity, confidence, cwe, Category.SECURITY)


_SECONDS = 10
_ENABLED = re.compile(r"^linter\.rules\.enabled = \[\n(.*?)^\]", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"^\s+([a-z0-9-]+) \(([A-Z]+[0-9]+)\),?$", re.MULTILINE)
_SYNTAX_ERROR = "invalid-syntax"


@cache
def ruff_rules(options: tuple[str, ...]) -> Sequence[RuleInfo]:
    """Return the rules that these options select, in order of id.

    :raises subprocess.SubprocessError: if ruff cannot list them.
    :raises ValueError: if ruff's output is invalid.
    """
    return tuple(_info(code, ruff_rule(code)) for code in sorted(ruff_names(options)))


@cache
def ruff_names(options: tuple[str, ...]) -> dict[str, str]:
    """Return ruff's names of the rules that these options select, by id. A syntax error has no
    name.
    """
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
    """Return the bandit tests that run, in order of id."""
    numbers = sorted(_BANDIT_RULES)
    return tuple(_info(f"B{number}", _BANDIT_RULES[number]) for number in numbers)


def _info(rule_id: str, rule: Rule) -> RuleInfo:
    return RuleInfo(
        id=rule_id,
        summary="",  # the texts have it
        cwe=rule.cwe,
        severity=rule.severity,
        confidence=rule.confidence,
        category=rule.category,
    )
