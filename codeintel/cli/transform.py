"""`codeintel transform`: transform a file, and print or write the result."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from codeintel.base.wording import printable
from codeintel.cli.outcome import ReceivedRun, as_objects, as_text
from codeintel.cli.output import write, write_json, write_line
from codeintel.cli.remote import (
    EXIT_NOT_COMPLETED,
    check_kind,
    check_language,
    client_with_key,
    follow,
    service_options,
    show,
)
from codeintel.cli.render import Piece, ending
from codeintel.cli.source import STDIN, SourceFile, read_code, replace_file, sent_name
from codeintel.cli.suggestions import Choice
from codeintel.contracts import CheckStatus, Model, VerdictOutcome
from codeintel.contracts.languages import canonical_language, language_of_path, languages
from codeintel.engine.equivalence.readable import DIALECTS
from codeintel.server.opening import Failure

_CONVERT = "convert"
_KINDS = (_CONVERT, "document", "modernize", "optimize", "refactor")
"""The built-in kinds. Plugins can add more, which the service knows."""
_MARKS = {
    CheckStatus.PASSED: "passed",
    CheckStatus.FAILED: "FAILED",
    CheckStatus.NOT_APPLICABLE: "skipped",
}
_CHECKS = {
    "parses": "syntax",
    "equivalent": "same meaning",
    "same_values": "same values",
    "same_interface": "same public names",
    "no_new_findings": "no new findings",
    "stable": "no change when repeated",
    "same_behaviour": "same behavior when run",
}
_VERDICTS = {
    VerdictOutcome.PROVEN.value: "Proven: the result behaves like the original.",
    VerdictOutcome.CHECKED.value: "Checked: all checks passed, but equivalence is not proven.",
    VerdictOutcome.UNPROVEN.value: "Unproven: a check rejected the result.",
}
_START = " is running."
"""The end of a message that says what has started."""


def sibling(path: Path, language: str) -> Path:
    """Return the path next to a file with the extension of a language.

    :raises Failure: if the extension is unknown.
    """
    if language in DIALECTS:
        return path.with_suffix(f".{language}.sql")
    for known in languages():
        if known.name == language and known.extensions:
            return path.with_suffix(f".{known.extensions[0]}")
    raise Failure(
        f"The file extension of {language} is unknown. Print the result instead, without --write."
    )


def _kind_and_file(arguments: Sequence[str], kind: str | None) -> tuple[str, str]:
    """Return the kind and the file from `FILE --to KIND`, `KIND FILE` or `FILE KIND`.

    :raises click.UsageError: with the command to type, if one is missing.
    """
    names = list(arguments)
    if kind is None and len(names) == 2:
        is_swapped = names[1] in _KINDS and names[0] not in _KINDS
        kind = names.pop(1 if is_swapped else 0)
    if not names:
        raise click.UsageError(f"Name a file: codeintel transform FILE --to {kind or 'refactor'}")
    if len(names) > 1:
        raise click.UsageError(f"Name one file at a time: {', '.join(names)}")
    if kind is None:
        kinds = ", ".join(_KINDS)
        if names[0] in _KINDS:
            raise click.UsageError(f"Name a file: codeintel transform FILE --to {names[0]}")
        raise click.UsageError(
            f"Name a kind of transformation: codeintel transform {names[0]} --to KIND. Kinds: "
            f"{kinds}."
        )
    return kind, names[0]


class _Option(click.ParamType[tuple[str, Any]]):
    """`name=value`. The value may be JSON."""

    name = "name=value"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Any]:
        if isinstance(value, tuple):
            return value
        name, equals, text = str(value).partition("=")
        if not name or not equals:
            self.fail(f"{value!r} is not like name=value, for example aggressive=true.", param, ctx)
        try:
            return name, json.loads(text)
        except ValueError:
            return name, text


@click.command(short_help="Transform a file.")
@click.argument("arguments", nargs=-1, metavar="[KIND] FILE")
@click.option(
    "--to",
    "kind",
    metavar="KIND",
    help="The kind of transformation: convert, document, modernize, optimize or refactor.",
)
@click.option("--target", help="The language to convert to.")
@click.option("--language", help="The language of the code. Default: detected from the file name.")
@click.option(
    "--option",
    "options",
    type=_Option(),
    multiple=True,
    help="An option of the kind. Repeat for more options.",
)
@click.option("--instructions", help="Instructions for a model.")
@click.option(
    "--model",
    type=Choice([model.value for model in Model]),
    default=Model.FLASH.value,
    show_default=True,
    help="The model. pro costs more credits.",
)
@service_options
@click.option("--diff", "as_diff", is_flag=True, help="Print a unified diff.")
@click.option(
    "--write", "writes", is_flag=True, help="Write the result to the file if it is proven."
)
@click.option(
    "--accept",
    type=Choice([VerdictOutcome.PROVEN.value, VerdictOutcome.CHECKED.value]),
    default=VerdictOutcome.PROVEN.value,
    show_default=True,
    help="The verdict that a result needs. The equivalence of checked results is not proven.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option(
    "--verbose",
    "is_verbose",
    is_flag=True,
    help="Show each check with its evidence and the assumptions of a proof.",
)
def transform(
    arguments: tuple[str, ...],
    kind: str | None,
    target: str | None,
    language: str | None,
    options: tuple[tuple[str, Any], ...],
    instructions: str | None,
    model: str,
    url: str,
    key: str | None,
    as_diff: bool,
    writes: bool,
    accept: str,
    as_json: bool,
    is_verbose: bool,
) -> None:
    """Transform FILE and print the new code. Use - for standard input.

    The verdict goes to standard error, with the checks that passed. Both of these commands refactor
    a file:

    \b
      codeintel transform app.py --to refactor
      codeintel transform refactor app.py

    --write writes a proven result to FILE. With --target, it writes to a new file next to FILE with
    the extension of the target language. A result is proven if it behaves like the original. It is
    checked if no check failed. --accept checked accepts both.

    \b
    Exit status:
      0    transformed and accepted, or nothing to change
      2    not transformed: wrong usage or input, or the service rejected the request
      3    the run did not complete, or --accept does not accept its result
      130  interrupted with Ctrl+C, which cancels the run
    """
    if as_diff + writes + as_json > 1:
        raise click.UsageError("Choose one of --diff, --write and --json.")
    kind, file = _kind_and_file(arguments, kind)
    if writes and file == STDIN:
        raise click.UsageError("--write needs a FILE. It cannot write to standard input.")
    if kind == _CONVERT and target is None:
        raise click.UsageError(
            "Name the language to convert to: codeintel transform "
            f"{file} --to {_CONVERT} --target LANGUAGE"
        )
    source = read_code(file)
    named = language
    if language is None and file != STDIN:
        language = language_of_path(file)
    place = _place(file, target) if writes else None
    client = client_with_key(url, key, "transform:write")
    if kind not in _KINDS:
        check_kind(client, kind)
    if named is not None:
        check_language(client, named)
    events = client.transform(
        source.code,
        kind,
        language=language,
        target=target,
        options=dict(options),
        instructions=instructions,
        model=model,
        file=sent_name(file),
    )
    remarks = _Remarks(is_verbose=is_verbose)
    outcome = follow(events, remarks.event)
    show(remarks.end(outcome))
    if as_json:
        write_json(outcome.document())
    show(ending(outcome))
    is_good = outcome.status == "completed" and _is_accepted(outcome, VerdictOutcome(accept))
    if not as_json and outcome.result is not None:
        _deliver(outcome, file, source, place if is_good else None, as_diff, writes)
    sys.exit(0 if is_good else EXIT_NOT_COMPLETED)


def _place(file: str, target: str | None) -> Path:
    """Return the path to write the result to.

    :raises Failure: if the file for a converted result already exists.
    """
    if target is None:
        return Path(file)
    place = sibling(Path(file), canonical_language(target))
    if place.exists():
        raise Failure(f"{place} already exists. Move it away, or print the result instead.")
    return place


def _is_accepted(outcome: ReceivedRun, least: VerdictOutcome) -> bool:
    result = outcome.result or {}
    takes_checked = least is VerdictOutcome.CHECKED and _is_checked(result)
    return result.get("verified") is True or result.get("changed") is False or takes_checked


def _is_checked(result: dict[str, Any]) -> bool:
    return result.get("verdict") == VerdictOutcome.CHECKED


def _deliver(
    outcome: ReceivedRun,
    file: str,
    source: SourceFile,
    place: Path | None,
    as_diff: bool,
    writes: bool,
) -> None:
    result = outcome.result or {}
    code = as_text(result.get("code"))
    if as_diff:
        write(_named(as_text(result.get("diff")), file))
    elif not writes:
        write(code)
    elif not _changes(outcome):
        return
    elif place is None:
        write_line(_why_not_written(outcome), err=True)
    else:
        mark = codecs.BOM_UTF8 if source.data.startswith(codecs.BOM_UTF8) else b""
        replace_file(place, mark + code.encode())
        write_line(f"Wrote {place}.", err=True)


def _changes(outcome: ReceivedRun) -> bool:
    """Return False if the run completed and there is nothing to change."""
    return outcome.status != "completed" or (outcome.result or {}).get("changed") is not False


def _why_not_written(outcome: ReceivedRun) -> str:
    if outcome.status == "completed" and _is_checked(outcome.result or {}):
        return (
            "Not written, because the result is checked but not proven. Review it with --diff, "
            "then add --accept checked."
        )
    return "Not written, because the result is not proven."


def _named(diff: str, file: str) -> str:
    """Return the diff with file names, for `patch -p1` and `git apply`."""
    *head, changes = diff.split("\n", 2)
    if len(head) < 2 or file == STDIN:
        return diff
    name = file.removeprefix("/")
    return f"--- a/{name}\n+++ b/{name}\n{changes}"


class _Remarks:
    """The remarks for standard error: progress, the verdict with its checks, and losses.

    :param is_verbose: whether to show the evidence of each check.
    """

    def __init__(self, *, is_verbose: bool) -> None:
        self._is_verbose = is_verbose
        self._verification: dict[str, Any] = {}

    def event(self, event: dict[str, Any]) -> Iterator[Piece]:
        """Return the remarks about an event. The verdict waits for the end of the run."""
        if event["type"] == "run.created":
            for name in _texts(event.get("ignoredFields")):
                yield _remark(f"The service ignored this field: {name}")
        elif event["type"] == "progress":
            message = printable(as_text(event.get("message")))
            if self._is_verbose or not message.endswith(_START):
                yield _remark(message)
        elif event["type"] == "verification":
            self._verification = event

    def end(self, outcome: ReceivedRun) -> Iterator[Piece]:
        """Return the verdict and the losses."""
        changes = _changes(outcome)
        if self._is_verbose:
            yield from map(_remark, self._all_checks())
        elif changes:
            yield from map(_remark, self._short())
        if not changes:
            yield _remark("Nothing to change.")
        for text in _texts((outcome.result or {}).get("losses")):
            yield _remark(f"Lost: {text}")

    def _all_checks(self) -> Iterator[str]:
        for check in as_objects(self._verification.get("checks")):
            yield f"{_title(check)}: {_mark(check)}. {_evidence(check)}"
        yield from self._gaps()
        yield from self._verdict()

    def _short(self) -> Iterator[str]:
        """Return the verdict with the checks that passed, then failed checks and gaps."""
        checks = as_objects(self._verification.get("checks"))
        passed = [_title(each) for each in checks if each.get("status") == CheckStatus.PASSED]
        told = [*self._verdict(), f"Passed: {', '.join(passed)}." if passed else ""]
        yield from filter(None, [" ".join(filter(None, told))])
        for check in checks:
            if check.get("status") == CheckStatus.FAILED:
                yield f"Failed: {_title(check)}. {_evidence(check)}"
        if self._verification.get("verdict") != VerdictOutcome.PROVEN:
            yield from self._gaps()

    def _gaps(self) -> Iterator[str]:
        for text in _texts(self._verification.get("unchecked")):
            yield f"Not checked: {text}"

    def _verdict(self) -> Iterator[str]:
        verdict = _VERDICTS.get(as_text(self._verification.get("verdict")))
        if verdict:
            yield verdict


def _remark(text: str) -> Piece:
    return Piece(f"{text}\n", err=True)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        yield from (printable(each) for each in value if isinstance(each, str))


def _mark(check: dict[str, Any]) -> str:
    status = as_text(check.get("status"))
    return _MARKS[CheckStatus(status)] if status in frozenset(CheckStatus) else printable(status)


def _title(check: dict[str, Any]) -> str:
    name = as_text(check.get("name"))
    return _CHECKS.get(name) or printable(name.replace("_", " "))


def _evidence(check: dict[str, Any]) -> str:
    return printable(as_text(check.get("evidence")))
