"""`codeintel transform`: transform one file, and write the result into a file."""

from __future__ import annotations

import codecs
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from codeintel.base.wording import printable
from codeintel.cli.common import write, write_json, write_line
from codeintel.cli.outcome import Outcome, as_object, as_objects, as_text
from codeintel.cli.remote import EXIT_NOT_COMPLETED, client_with_key, follow, service_options, show
from codeintel.cli.render import Piece, ending
from codeintel.cli.source import STDIN, Source, read_code
from codeintel.contracts import CheckStatus, Model, VerdictOutcome
from codeintel.contracts.languages import canonical_language, language_of_path, languages
from codeintel.engine.equivalence.readable import DIALECTS
from codeintel.server.opening import Failure

_MARKS = {
    CheckStatus.PASSED: "passed",
    CheckStatus.FAILED: "FAILED",
    CheckStatus.NOT_APPLICABLE: "not applicable",
}
_VERDICTS = {
    VerdictOutcome.PROVEN.value: "proven: the result behaves as the original does",
    VerdictOutcome.CHECKED.value: "checked: no check failed, and none shows that it is equal",
    VerdictOutcome.UNPROVEN.value: "unproven: the checks refused the result",
}


def sibling(path: Path, language: str) -> Path:
    """The file beside another that has the usual extension of a language.

    :raises Failure: if nobody knows one.
    """
    if language in DIALECTS:
        return path.with_suffix(f".{language}.sql")
    for known in languages():
        if known.name == language and known.extensions:
            return path.with_suffix(f".{known.extensions[0]}")
    raise Failure(f"The extension of {language} files is not known: print the result instead.")


def replace_file(path: Path, code: str, *, like: bytes) -> None:
    """Put code into a file, all or nothing, with the permissions that the file has.

    :param like: the bytes that the code comes from: a byte order mark of theirs is kept.
    :raises Failure: if it cannot be written; the file is as it was.
    """
    mark = codecs.BOM_UTF8 if like.startswith(codecs.BOM_UTF8) else b""
    target = path.resolve()  # of a link, what it leads to
    try:
        mode = target.stat().st_mode if target.exists() else None
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(mark + code.encode())
            Path(name).chmod(mode & 0o7777 if mode is not None else 0o666 & ~_umask())
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink()
            raise
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}.") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


class _Option(click.ParamType[tuple[str, Any]]):
    """`name=value`; a value that is JSON is taken as such."""

    name = "name=value"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Any]:
        if isinstance(value, tuple):
            return value
        name, equals, text = str(value).partition("=")
        if not name or not equals:
            self.fail("it must be like aggressive=true.", param, ctx)
        try:
            return name, json.loads(text)
        except ValueError:
            return name, text


@click.command(short_help="Transform a file.")
@click.argument("file")
@click.option("--to", "kind", required=True, help="Kind, such as refactor; see the capabilities.")
@click.option("--target", help="Language to convert to.")
@click.option("--language", help="Language of the code; by default what the file's name says.")
@click.option("--option", "options", type=_Option(), multiple=True, help="Option of the kind.")
@click.option("--instructions", help="What a model should heed.")
@click.option(
    "--model",
    type=click.Choice([model.value for model in Model]),
    default=Model.FLASH.value,
    show_default=True,
    help="Which model; pro costs more credits.",
)
@service_options
@click.option("--diff", "as_diff", is_flag=True, help="Print a unified diff.")
@click.option("--write", "writes", is_flag=True, help="Write the result, if it is proven.")
@click.option(
    "--accept",
    type=click.Choice([VerdictOutcome.PROVEN.value, VerdictOutcome.CHECKED.value]),
    default=VerdictOutcome.PROVEN.value,
    show_default=True,
    help="Least verdict that a result needs; checked results are not shown to be equal.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def transform(
    file: str,
    kind: str,
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
    """Transform FILE, or standard input if FILE is -, and print the new code. What was checked of
    it is told on standard error.

    --write puts proven code into FILE, or, with --target, into a new file beside it that has the
    target's extension. A result is proven if it was shown to behave as the original does, and
    checked if no check failed: --accept checked takes both.

    \b
    Exit status:
      0    transformed and proven (or accepted), or there was nothing to change
      2    nothing was transformed: wrong usage or input, or the service refused
      3    the run did not complete, or --accept does not take its result: it is not written
      130  interrupted; the service cancels the run
    """
    if as_diff + writes + as_json > 1:
        raise click.UsageError("--diff, --write and --json exclude each other.")
    if writes and file == STDIN:
        raise click.UsageError("--write needs a file to write to.")
    source = read_code(file)
    if language is None and file != STDIN:
        language = language_of_path(file)
    place = _place(file, target) if writes else None
    client = client_with_key(url, key, "transform:write")
    events = client.transform(
        source.code,
        kind,
        language=language,
        target=target,
        options=dict(options),
        instructions=instructions,
        model=model,
        file=file if file != STDIN else None,
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
    """Where the result goes.

    :raises Failure: if there is a file already that is not the one transformed.
    """
    if target is None:
        return Path(file)
    place = sibling(Path(file), canonical_language(target))
    if place.exists():
        raise Failure(f"{place} is there already: move it away, or print the result instead.")
    return place


def _is_accepted(outcome: Outcome, least: VerdictOutcome) -> bool:
    result = outcome.result or {}
    takes_checked = least is VerdictOutcome.CHECKED and _is_checked(result)
    return result.get("verified") is True or result.get("changed") is False or takes_checked


def _is_checked(result: dict[str, Any]) -> bool:
    return result.get("verdict") == VerdictOutcome.CHECKED


def _deliver(
    outcome: Outcome, file: str, source: Source, place: Path | None, as_diff: bool, writes: bool
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
        replace_file(place, code, like=source.data)
        write_line(f"Wrote {place}.", err=True)
    else:
        write_line("Nothing to change.", err=True)


def _why_not_written(outcome: Outcome) -> str:
    if outcome.status == "completed" and _is_checked(outcome.result or {}):
        return (
            "Not written: the result is checked, not proven. Review it (--diff), then write it with"
            " --accept checked."
        )
    return "Not written: the result is not verified."


def _named(diff: str, file: str) -> str:
    """The diff as one of a file, for `patch -p1` and `git apply`."""
    *head, changes = diff.split("\n", 2)
    if len(head) < 2 or file == STDIN:
        return diff
    name = file.removeprefix("/")
    return f"--- a/{name}\n+++ b/{name}\n{changes}"


def _shown(event: dict[str, Any]) -> Iterator[Piece]:
    """What is told while the run goes on, and of the result beside its code."""
    if event["type"] == "run.created":
        for name in _texts(event.get("ignoredFields")):
            yield Piece(f"ignored: {name}\n", err=True)
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
