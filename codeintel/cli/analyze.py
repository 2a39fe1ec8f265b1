"""`codeintel analyze` and `codeintel rules`: analyze one file, and list what can be found."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import UNSET, ValidationError, convert

from codeintel.base.wording import printable
from codeintel.cli.common import (
    look_at_app,
    missing_instance,
    table,
    terminal_width,
    wants_colour,
    write,
    write_json,
)
from codeintel.cli.outcome import Outcome, as_object, as_text, verdict
from codeintel.cli.remote import EXIT_NOT_COMPLETED, client_with_key, follow, service_options, show
from codeintel.cli.render import Renderer, ending
from codeintel.cli.source import STDIN, STDIN_NAME, Source, check_prompt, read_code
from codeintel.client import Client, ClientError
from codeintel.contracts import Model, RuleInfo, Severity
from codeintel.contracts.languages import language_of_path
from codeintel.server.opening import Failure, services_of

if TYPE_CHECKING:
    from codeintel.runs.capabilities import ListedRule


EXIT_FINDINGS = 1
_HEADERS = ("analyzer", "rule", "severity", "confidence", "cwe", "title")


@click.command(short_help="Analyse a file.")
@click.argument("file")
@service_options
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
      0    analyzed
      1    analyzed, and a finding reaches --fail-on
      2    nothing was analyzed: wrong usage or input, or the service refused
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
    client = client_with_key(url, key, "analysis:write")
    named = file if file != STDIN else None
    events = client.analyze(source.code, language, prompt, model, file=named)
    renderer = Renderer(
        STDIN_NAME if file == STDIN else file,
        colour=wants_colour(sys.stdout),
        err_colour=wants_colour(sys.stderr),
        live=sys.stdout.isatty(),
        width=terminal_width(),
    )
    quiet = as_json or as_sarif
    outcome = follow(
        events, lambda event: (each for each in renderer.event(event) if each.err or not quiet)
    )
    if quiet:
        write_json(outcome.document() if as_json else _sarif(outcome, file, source, client))
        show(ending(outcome))
    else:
        show(renderer.end(outcome))
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
    from codeintel.engine.sarif import Artifact, file_uri, sarif_log

    uri = "stdin" if file == STDIN else file_uri(file, Path.cwd())
    unfinished = "".join(piece.text for piece in ending(outcome)).strip()
    analysis = outcome.result or {"findings": outcome.findings}
    artifact = Artifact(uri, source.code, source.data)
    rules = _listed_rules(client) if outcome.findings else {}
    return sarif_log(analysis, artifact, rules, unfinished=unfinished, service=client.url)


def _listed_rules(client: Client) -> dict[str, list[RuleInfo]]:
    """The rules that the service has pages of, by analyzer; none where it does not say."""
    rules: dict[str, list[RuleInfo]] = {}
    with suppress(ClientError):
        for rule in client.rules():
            with suppress(ValidationError):
                analyzer = as_text(as_object(rule).get("analyzer"))
                rules.setdefault(analyzer, []).append(convert(rule, RuleInfo))
    return rules


@click.command(short_help="List the rules.")
@click.option("--language", help="Only rules for this language.")
@click.option("--analyzer", help="Only rules of this analyzer.")
@click.option("--cwe", help="Only rules for this weakness, such as CWE-89.")
@click.option("--search", help='Only rules with all of these words, such as "sql injection".')
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rules(
    language: str | None,
    analyzer: str | None,
    cwe: str | None,
    search: str | None,
    as_json: bool,
) -> None:
    """List the rules of all analyzers, including those of plugins.

    The search looks at titles, summaries, IDs, former IDs, CWE numbers and names, and languages.

    The command reads the local installation and the plugins in the instance folder. A remote
    service lists its rules at /docs/rules. Analyzers without listed rules are left out.
    """
    with look_at_app(at_plugins=False) as app:
        from codeintel.base.errors import ServiceError
        from codeintel.runs.capabilities import RuleQuery

        query = RuleQuery(
            language=UNSET if language is None else language,
            analyzer=UNSET if analyzer is None else analyzer,
            cwe=UNSET if cwe is None else _cwe(cwe),
            q=search or UNSET,
        )
        try:
            listed = services_of(app).catalogue.rules(query)
        except ServiceError as error:
            raise Failure(_unknown(str(error.details.get("path")), language, analyzer)) from None
    if as_json:
        write_json({"rules": listed})
    else:
        rows = [_row(rule) for rule in listed]
        text = table(_HEADERS, rows, terminal_width()) if rows else "No rules match.\n"
        write(text)


def _unknown(option: str, language: str | None, analyzer: str | None) -> str:
    """Return the error for an unknown name. A plugin of another instance may have it."""
    value = analyzer if option == "analyzer" else language
    text = f'Unknown {option} "{printable(value or "")}". Run `codeintel rules` to list all rules.'
    hint = missing_instance()
    return f"{text} {hint}" if hint else text


def _cwe(given: str) -> str:
    """Return `CWE-89` for `CWE-89`, `cwe-89` and `89`."""
    number = given.strip().upper().removeprefix("CWE-")
    if not (number.isascii() and number.isdigit()):
        raise click.BadParameter("it must be a number such as CWE-89.", param_hint="--cwe")
    return f"CWE-{number}"


def _row(rule: ListedRule) -> tuple[str, ...]:
    return (
        rule.analyzer,
        rule.id,
        rule.severity.value,
        rule.confidence.value,
        rule.cwe or "-",
        rule.name,
    )
