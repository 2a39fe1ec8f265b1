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
from codeintel.cli.outcome import ReceivedRun, as_object, as_objects, as_text
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

_KINDS = ("convert", "document", "modernize", "optimize", "refactor")
"""The built-in kinds. Plugins can add more, which the service knows."""
_MARKS = {
    CheckStatus.PASSED: "passed",
    CheckStatus.FAILED: "FAILED",
    CheckStatus.NOT_APPLICABLE: "not applicable",
}
_VERDICTS = {
    VerdictOutcome.PROVEN.value: "proven: the result behaves like the original",
    VerdictOutcome.CHECKED.value: "checked: all checks passed, but equivalence is not proven",
    VerdictOutcome.UNPROVEN.value: "unproven: a check rejected the result",
}


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
) -> None:
    """Transform FILE and print the new code. Use - for standard input.

    The checks of the result go to standard error. Both of these commands refactor a file:

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
    outcome = follow(events, _shown)
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
    elif place is None:
        write_line(_why_not_written(outcome), err=True)
    elif result.get("changed"):
        mark = codecs.BOM_UTF8 if source.data.startswith(codecs.BOM_UTF8) else b""
        replace_file(place, mark + code.encode())
        write_line(f"Wrote {place}.", err=True)
    else:
        write_line("Nothing to change.", err=True)


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


def _shown(event: dict[str, Any]) -> Iterator[Piece]:
    """Return the remarks for standard error: progress, checks and losses."""
    if event["type"] == "run.created":
        for name in _texts(event.get("ignoredFields")):
            yield Piece(f"The service ignored this field: {name}\n", err=True)
    elif event["type"] == "progress":
        yield Piece(f"{printable(as_text(event.get('message')))}\n", err=True)
    elif event["type"] == "verification":
        for check in as_objects(event.get("checks")):
            yield Piece(f"{printable(_check(check))}\n", err=True)
        for text in _texts(event.get("unchecked")):
            yield Piece(f"not checked: {text}\n", err=True)
        verdict = _VERDICTS.get(as_text(event.get("verdict")))
        if verdict:
            yield Piece(f"{verdict}\n", err=True)
    elif event["type"] == "result":
        for text in _texts(as_object(event.get("result")).get("losses")):
            yield Piece(f"lost: {text}\n", err=True)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        yield from (printable(each) for each in value if isinstance(each, str))


def _check(check: dict[str, Any]) -> str:
    status = as_text(check.get("status"))
    mark = _MARKS[CheckStatus(status)] if status in frozenset(CheckStatus) else status
    level, name = as_text(check.get("level")), as_text(check.get("name"))
    return f"{level} {name}: {mark}. {as_text(check.get('evidence'))}"
