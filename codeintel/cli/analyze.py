"""`codeintel analyze`: analyse one file."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import click
from msgspec import ValidationError, convert

from codeintel import DEFAULT_URL
from codeintel.cli.common import Failure, terminal_width, wants_colour, write, write_json
from codeintel.cli.gate import verdict
from codeintel.cli.outcome import Outcome, as_object, as_text
from codeintel.cli.render import Piece, Renderer, ending
from codeintel.cli.source import STDIN, STDIN_NAME, Source, check_prompt, read_code
from codeintel.client import ApiError, Client, ClientError, ConnectionFailed
from codeintel.contracts import Model, RuleInfo, Severity
from codeintel.languages import language_of_path

EXIT_FINDINGS = 1
EXIT_NOT_COMPLETED = 3
EXIT_INTERRUPTED = 130  # what shells give a command that Ctrl-C ended


class Unfinished(Failure):
    """Ends the command when a run that had begun did not come to its end."""

    exit_code = EXIT_NOT_COMPLETED


@click.command(short_help="Analyse a file.")
@click.argument("file")
@click.option(
    "--url",
    envvar="CODEINTEL_URL",
    default=DEFAULT_URL,
    show_default=True,
    show_envvar=True,
    help="Where the service is.",
)
@click.option(
    "--key",
    envvar="CODEINTEL_API_KEY",
    show_envvar=True,
    help="API key. Others on this machine can read a command line: better set the variable.",
)
@click.option("--prompt", help="What to look at in particular.")
@click.option(
    "--model",
    type=click.Choice([model.value for model in Model]),
    default=Model.FLASH.value,
    show_default=True,
    help="How deep to look; pro costs more credits.",
)
@click.option(
    "--language",
    help="Language of the code; by default what the file's name says, else what it looks like.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document at the end.")
@click.option("--sarif", "as_sarif", is_flag=True, help="Print one SARIF 2.1.0 log at the end.")
@click.option(
    "--fail-on",
    type=click.Choice([severity.value for severity in Severity], case_sensitive=False),
    help="Exit with status 1 if a finding is this bad or worse.",
)
@click.option(
    "--honour-suppressions",
    is_flag=True,
    help="Let --fail-on pass over findings that a comment in the code, such as nosec, asks to "
    "ignore.",
)
def analyze(
    file: str,
    url: str,
    key: str | None,
    prompt: str | None,
    model: str,
    language: str | None,
    as_json: bool,
    as_sarif: bool,
    fail_on: str | None,
    honour_suppressions: bool,
) -> None:
    """Analyse FILE, or standard input if FILE is -, and print the findings as they come.

    \b
    Exit status:
      0    analysed
      1    analysed, and a finding reaches --fail-on
      2    nothing was analysed: wrong usage or input, or the service refused
      3    the run did not complete, or with --fail-on not all could be checked
      130  interrupted; the service cancels the run
      141  whoever read the output went away before its end, as head does
    """
    if as_json and as_sarif:
        raise click.UsageError("--json and --sarif exclude each other.")
    if honour_suppressions and fail_on is None:
        write("--honour-suppressions has no effect without --fail-on.\n", err=True)
    source = read_code(file)
    check_prompt(prompt)
    if language is None and file != STDIN:
        language = language_of_path(file)
    client = _client(url, key)
    events = client.analyze(source.code, language, prompt, model)
    renderer = Renderer(
        STDIN_NAME if file == STDIN else file,
        colour=wants_colour(sys.stdout),
        err_colour=wants_colour(sys.stderr),
        live=sys.stdout.isatty(),
        width=terminal_width(),
    )
    outcome = _follow(events, renderer, quiet=as_json or as_sarif)
    if as_json or as_sarif:
        write_json(outcome.document() if as_json else _sarif(outcome, file, source, client))
        _show(ending(outcome))
    else:
        _show(renderer.end(outcome))
    threshold = Severity(fail_on) if fail_on else None
    if threshold is not None and outcome.status == "completed":
        for line in verdict(outcome, threshold, honour_suppressions=honour_suppressions):
            write(f"{line}\n", err=True)
    sys.exit(exit_status(outcome, threshold, honour_suppressions=honour_suppressions))


def exit_status(
    outcome: Outcome, fail_on: Severity | None, *, honour_suppressions: bool = False
) -> int:
    """The command's exit status for a run that has ended. A run cut short proves nothing about the
    rest of the code, so that counts before its findings do."""
    if outcome.status != "completed":
        return EXIT_NOT_COMPLETED
    if fail_on is None:
        return 0
    if outcome.reaches(fail_on, honour_suppressions=honour_suppressions):
        return EXIT_FINDINGS
    return 0 if outcome.checked_all else EXIT_NOT_COMPLETED  # a gate fails closed


def _sarif(outcome: Outcome, file: str, source: Source, client: Client) -> dict[str, Any]:
    """The outcome as a SARIF log; of a run without a result, what had been found by then."""
    from codeintel.sarif import Artifact, file_uri, sarif_log

    uri = "stdin" if file == STDIN else file_uri(file, Path.cwd())
    unfinished = "".join(piece.text for piece in ending(outcome)).strip()
    analysis = outcome.result or {"findings": outcome.findings}
    artifact = Artifact(uri, source.code, source.data)
    rules = _listed_rules(client) if outcome.findings else {}
    return sarif_log(analysis, artifact, rules, unfinished=unfinished, service=client.url)


def _listed_rules(client: Client) -> dict[str, list[RuleInfo]]:
    """The rules that the service has pages of, by analyser; none where it does not say."""
    rules: dict[str, list[RuleInfo]] = {}
    with suppress(ClientError):
        for rule in client.rules():
            with suppress(ValidationError):
                analyzer = as_text(as_object(rule).get("analyzer"))
                rules.setdefault(analyzer, []).append(convert(rule, RuleInfo))
    return rules


def _client(url: str, key: str | None) -> Client:
    if not key:
        raise Failure(
            "There is no API key. Make one where the service runs, with `codeintel keys create "
            "EMAIL --name NAME --scope analysis:write`, and set CODEINTEL_API_KEY to it."
        )
    try:
        return Client(url, key)
    except ValueError as error:
        raise Failure(
            f"{error} Check --url and --key, CODEINTEL_URL and CODEINTEL_API_KEY."
        ) from None


def _follow(
    events: Generator[dict[str, Any], None, None], renderer: Renderer, *, quiet: bool
) -> Outcome:
    """Show the events while they arrive; `quiet` keeps standard output free."""
    outcome = Outcome()
    try:
        with closing(events):
            for event in events:
                outcome.add(event)
                _show(piece for piece in renderer.event(event) if piece.err or not quiet)
    except ApiError as error:
        raise Failure(_refusal(error)) from None
    except ConnectionFailed as error:
        hint = "Is the service running there? Name its address with --url or CODEINTEL_URL."
        raise Failure(f"{error} {hint}") from None
    except ClientError as error:
        message = f"{error}{_run(outcome)}"
        raise (Unfinished(message) if outcome.run_id else Failure(message)) from None
    except KeyboardInterrupt:
        write(f"\nInterrupted: the service cancels the run.{_run(outcome)}\n", err=True)
        sys.exit(EXIT_INTERRUPTED)
    return outcome


def _show(pieces: Iterable[Piece]) -> None:
    for piece in pieces:
        write(piece.text, err=piece.err)


def _refusal(error: ApiError) -> str:
    """The service's own words, and what helps to do something about them."""
    text = error.message
    if error.code:
        text = f"The service refused ({error.status} {error.code}): {text}"
    hint = _hint(error.details)
    if hint:
        text += f" {hint}"
    if error.retry_after is not None and "try again in" not in text:
        text += f" Try again in {error.retry_after} s."
    return f"{text} [request {error.request_id}]" if error.request_id else text


def _hint(details: Mapping[str, Any]) -> str:
    """Details that are worth a place in a line, like `price 2, available 0`."""
    plain = {name: value for name, value in details.items() if isinstance(value, str | int)}
    return f"({', '.join(f'{name}: {value}' for name, value in plain.items())})" if plain else ""


def _run(outcome: Outcome) -> str:
    return f" [run {outcome.run_id}]" if outcome.run_id else ""
