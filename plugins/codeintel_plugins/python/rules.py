"""Metadata of rules: severity, confidence, weakness class and a summary.

The tables name a rule or a prefix of rules. The longest match counts. A line is
`rules severity confidence CWE category`. `-` means that no weakness class fits.

For listings, ruff itself reports which rules the options select, and their names. It runs once,
with this file as input. This module has its own summaries of bandit's tests, because asking bandit
means importing it.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from msgspec import UNSET, UnsetType

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
F401,F811,F842       low      high   -        unused code
F841                 low      high   CWE-563  unused code
F403                 low      high   -        maintainability
F405                 low      low    -        correctness
F50,F52              high     high   -        correctness
F504,F522,F523       low      high   -        unused code
F541                 info     high   -        maintainability
F601,F602            medium   high   CWE-462  correctness
F63                  high     high   -        correctness
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
B018                 low      medium -        correctness
BLE                  medium   medium CWE-396  correctness
C4                   info     high   -        performance
C901                 low      high   CWE-1121 complexity
DJ                   low      high   -        maintainability
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
PLR0124,PLR0133      medium   high   -        correctness
PLR0206,PLR1708      high     high   -        correctness
PLR0913,PLR0915      low      high   -        complexity
PLR1704              low      medium -        correctness
PLW                  medium   high   -        correctness
PLW0108,PLW0120      info     high   -        maintainability
PLW0128              low      high   CWE-563  unused code
PLW06                low      high   -        maintainability
PLW1510,PLW1641      low      medium -        correctness
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
RUF059               info     high   -        unused code
SIM                  info     high   -        maintainability
SIM115               low      low    -        correctness
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


# Our words for ruff's rules whose grades are about defects. The others are listed by ruff's name
# for them. A line is `rule summary`.
_TABLE = """
B007 A loop variable is not used in the loop.
B008 A function call in a default argument runs only once.
B009 getattr() is given a constant name.
B010 setattr() is given a constant name.
B011 assert False does nothing under -O.
B012 finally returns or leaves a loop, which swallows exceptions.
B015 The result of a comparison is not used.
B018 The value of an expression is not used.
B019 A cache on a method keeps its objects alive.
B024 An abstract class has no abstract method.
B027 An empty method of an abstract class is not marked as abstract.
B028 A warning does not point at its caller.
B904 An exception is raised in except without `from`.
B905 zip() silently stops at its shortest argument.
C901 A function is too complex.
E711 None is compared with == instead of is.
E721 Types are compared with == instead of is or isinstance().
E722 A bare except catches everything, including exits.
F401 An import is not used.
F403 import * hides which names are defined.
F405 A name may be undefined, or defined by import *.
F501 A % format is invalid.
F502 A % format needs a mapping but gets another value.
F503 A % format needs positional values but gets a mapping.
F504 A % format gets names that it does not use.
F505 A % format lacks a named value.
F506 A % format mixes named and positional values.
F507 A % format has a different number of placeholders and values.
F509 A % format has an unknown format character.
F521 A format() string is invalid.
F522 format() gets names that it does not use.
F523 format() gets values that it does not use.
F524 format() lacks values.
F525 A format() string mixes automatic and manual numbering.
F541 An f-string has no placeholder.
F601 A dictionary has a literal key twice.
F602 A dictionary has the same variable as a key twice.
F631 assert is given a tuple, which is always true.
F632 A literal is compared with is instead of ==.
F634 A condition is a tuple, which is always true.
F701 break is outside a loop.
F702 continue is outside a loop.
F704 yield is outside a function.
F706 return is outside a function.
F707 A bare except is not the last one.
F722 An annotation in quotes does not parse.
F811 A definition is replaced before it is used.
F821 An undefined name is used.
F822 __all__ contains an undefined name.
F823 A local variable is used before assignment.
F841 A local variable is assigned and never used.
F842 A local variable is annotated and never used.
PERF203 A loop catches exceptions in each iteration.
PIE794 A class defines a field twice.
PIE796 An enumeration has a value twice.
PLE0100 __init__ is a generator.
PLE0101 __init__ returns a value.
PLE0115 A name is both nonlocal and global.
PLE0116 continue in finally swallows exceptions.
PLE0117 nonlocal names a variable that no outer function has.
PLE0118 A name is used before it is declared global.
PLE0237 An assigned attribute is missing in __slots__.
PLE0241 A class has a duplicate base class.
PLE0302 A special method has the wrong number of parameters.
PLE0604 __all__ contains an object that is not a string.
PLE0605 __all__ is neither a list nor a tuple.
PLE0643 An index is past the end.
PLE0704 A bare raise is outside except.
PLE1132 A call passes an argument twice.
PLE1142 await is outside an async function.
PLE1205 A logging call has more values than placeholders.
PLE1206 A logging call has fewer values than placeholders.
PLE1310 The argument of strip() contains a character twice.
PLE1507 The name of an environment variable is not a string.
PLE1700 yield from is in an async function.
PLE2502 Bidirectional control characters hide what the code does (Trojan Source).
PLR0124 A value is compared with itself.
PLR0133 Two constants are compared.
PLR0206 A property has parameters.
PLR0913 A function has too many parameters.
PLR0915 A function has too many statements.
PLR1704 A parameter is redefined.
PLR1708 A generator raises StopIteration.
PLW0128 A name is assigned twice in one assignment.
PLW1510 subprocess.run() is called without `check`.
PLW1641 A class defines __eq__ and no __hash__.
PLW2901 A loop variable is overwritten in the loop.
RET503 A function returns a value on some paths only.
RUF001 A string contains an ambiguous Unicode character.
RUF002 A docstring contains an ambiguous Unicode character.
RUF003 A comment contains an ambiguous Unicode character.
RUF006 The task is not stored, so it may be garbage-collected early.
RUF008 A mutable dataclass default is shared by all objects.
RUF009 A function call in a dataclass default runs only once.
RUF016 A value is indexed with an invalid type.
RUF017 Lists are joined with sum(), which takes quadratic time.
RUF024 All values of dict.fromkeys() are the same object.
SIM115 A file is opened without a with statement.
SIM220 A value and its negation are never both true.
SIM221 A value or its negation is always true.
SIM222 A condition is always true.
SIM223 A condition is never true.
W605 A string contains an invalid escape sequence.
invalid-syntax The code does not parse.
"""

_WORDS = dict(line.split(maxsplit=1) for line in _TABLE.strip().splitlines())


def summary(rule_id: str, name: str) -> str:
    """Return a rule's summary. Without a text in this module, it names ruff's rule."""
    return _WORDS.get(rule_id) or f"Ruff's rule {name}."


def remedy(name: str) -> str | UnsetType:
    """Return a link to ruff's advice for a native rule, such as `unused-import`."""
    return f"See https://docs.astral.sh/ruff/rules/{name}/ with examples." if name else UNSET


_SECONDS = 10
_ENABLED = re.compile(r"^linter\.rules\.enabled = \[\n(.*?)^\]", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"^\s+([a-z0-9-]+) \(([A-Z]+[0-9]+)\),?$", re.MULTILINE)
_SYNTAX_ERROR = "invalid-syntax"

_BANDIT_WORDS = {
    "B113": "A request over HTTP has no timeout.",
    "B201": "Flask runs with its debugger, which lets clients run code.",
    "B304": "A cipher is broken or weak.",
    "B305": "A cipher is used in a weak mode.",
    "B306": "mktemp() has a race condition: others can create the file first.",
    "B312": "Telnet sends data in cleartext.",
    "B323": "TLS certificate validation is disabled.",
    "B501": "TLS certificate validation is disabled in a request.",
    "B502": "An outdated TLS version is used.",
    "B503": "The default TLS version is outdated.",
    "B505": "A key is too short for its algorithm.",
    "B507": "SSH accepts any host key.",
    "B508": "An SNMP version without encryption is used.",
    "B509": "SNMP is used without authentication or encryption.",
    "B609": "A wildcard in a shell command turns file names into options.",
    "B612": "logging.config.listen() accepts settings from any client, which can run code.",
    "B613": "Bidirectional control characters hide what the code does (Trojan Source).",
}


@cache
def ruff_rules(options: tuple[str, ...]) -> Sequence[RuleInfo]:
    """Return the rules that these options select, in order of id.

    :raises subprocess.SubprocessError: if ruff cannot list them.
    :raises ValueError: if ruff's output is invalid.
    """
    names = _names(options)
    words = {rule_id: summary(rule_id, name) for rule_id, name in names.items()} | {
        f"S{test_id[1:]}": text
        for test_id, text in _BANDIT_WORDS.items()
        if f"S{test_id[1:]}" in names
    }
    return tuple(
        _info(code, text, ruff_rule(code), remedy(names[code]))
        for code, text in sorted(words.items())
    )


@cache
def _names(options: tuple[str, ...]) -> dict[str, str]:
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
    return tuple(
        _info(test_id, text, bandit_rule(test_id, Severity.MEDIUM, Confidence.MEDIUM, None))
        for test_id, text in sorted(_BANDIT_WORDS.items())
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
