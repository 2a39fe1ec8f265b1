"""`codeintel analyze` and `codeintel rules`: analyze a file, and list the rules."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import UNSET

from codeintel.base.wording import counted
from codeintel.cli.formats import Format, Report
from codeintel.cli.instance import look_at_app, missing_instance
from codeintel.cli.outcome import Filter, ReceivedRun, verdict
from codeintel.cli.output import (
    is_live,
    table,
    terminal_width,
    wants_colour,
    write,
    write_json,
    write_line,
)
from codeintel.cli.remote import (
    EXIT_NOT_COMPLETED,
    check_language,
    check_rules,
    client_with_key,
    follow,
    service_options,
    show,
)
from codeintel.cli.render import FindingText, Piece, Renderer
from codeintel.cli.source import (
    STDIN,
    check_prompt,
    check_writable,
    read_code,
    replace_file,
    sent_name,
    shown_path,
)
from codeintel.cli.suggestions import Choice, did_you_mean
from codeintel.contracts import Confidence, Model, Severity
from codeintel.contracts.languages import language_of_path, languages
from codeintel.server.opening import Failure, services_of

if TYPE_CHECKING:
    from codeintel.runs.capability_types import ListedRule


EXIT_FINDINGS = 1
_HEADERS = ("analyzer", "rule", "severity", "confidence", "cwe", "title")


@click.command(short_help="Analyze a file.")
@click.argument("file")
@service_options
@click.option("--prompt", help="A question about the code.")
@click.option(
    "--model",
    type=Choice([model.value for model in Model]),
    default=Model.FLASH.value,
    show_default=True,
    help="The depth of the analysis. pro costs more credits.",
)
@click.option(
    "--language",
    help="The language of the code. Default: detected from the file name or the code.",
)
@click.option(
    "--severity",
    type=Choice([severity.value for severity in Severity], case_sensitive=False),
    help="Show only findings of this severity or worse.",
)
@click.option(
    "--min-confidence",
    type=Choice([confidence.value for confidence in Confidence], case_sensitive=False),
    help="Show only findings of this confidence or higher. Default: medium for text and github, "
    "low for json and sarif.",
)
@click.option(
    "--rule",
    "rule_ids",
    multiple=True,
    help="Show only findings of the rule with this ID or former ID. Repeat it for more rules.",
)
@click.option(
    "--format",
    "format_",
    type=Choice([each.value for each in Format], case_sensitive=False),
    default=Format.TEXT.value,
    show_default=True,
    help="The output format. github prints annotations for GitHub Actions.",
)
@click.option("--json", "as_json", is_flag=True, help="Same as --format json.")
@click.option("--sarif", "as_sarif", is_flag=True, help="Same as --format sarif.")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the output to this file.",
)
@click.option(
    "--frames/--no-frames",
    default=None,
    help="Show the code of each finding. Default: only on a terminal.",
)
@click.option(
    "--fail-on",
    type=Choice([severity.value for severity in Severity], case_sensitive=False),
    help="Exit with status 1 if a finding has this severity or a worse one.",
)
@click.option(
    "--honor-suppressions",
    "--honour-suppressions",
    "honour_suppressions",
    is_flag=True,
    help="Let --fail-on ignore findings with a suppression comment such as nosec.",
)
def analyze(
    file: str,
    url: str,
    key: str | None,
    prompt: str | None,
    model: str,
    language: str | None,
    severity: str | None,
    min_confidence: str | None,
    rule_ids: tuple[str, ...],
    format_: str,
    as_json: bool,
    as_sarif: bool,
    output: Path | None,
    frames: bool | None,
    fail_on: str | None,
    honour_suppressions: bool,
) -> None:
    """Analyze FILE and print the findings, worst first. Use - for standard input.

    On a terminal, each finding comes with its code and the path of the value from source to sink.
    Filters also apply to --fail-on. Low-confidence findings are counted, but not shown by default.

    \b
    Exit status:
      0    analyzed
      1    analyzed, and a finding reaches --fail-on
      2    not analyzed: wrong usage or input, or the service rejected the request
      3    the run did not complete, or with --fail-on some checks could not run
      130  interrupted with Ctrl+C, which cancels the run
      141  the reader of the output ended early, as head does
    """
    format_ = _format(format_, as_json=as_json, as_sarif=as_sarif)
    threshold = Severity(fail_on) if fail_on else None
    wanted = Filter(
        Severity(severity) if severity else None,
        Confidence(min_confidence) if min_confidence else None,
        frozenset(rule_ids),
    )
    _check_filter(wanted, threshold)
    if honour_suppressions and threshold is None:
        write("--honor-suppressions has no effect without --fail-on.\n", err=True)
    source = read_code(file)
    check_prompt(prompt)
    if output is not None:
        check_writable(output)
    client = client_with_key(url, key, "analysis:write")
    if language is not None:
        check_language(client, language)
    elif file != STDIN:
        language = language_of_path(file)
    if rule_ids:
        check_rules(client, rule_ids)
    name = shown_path(file)
    is_terminal = sys.stdout.isatty() and output is None
    code = source.code if (is_terminal if frames is None else frames) else None
    renderer = _renderer(name, code, client.url, is_terminal=is_terminal)
    events = client.analyze(source.code, language, prompt, model, file=sent_name(file))
    try:
        outcome = follow(events, renderer.event)
    finally:
        show(renderer.done())
    selection = wanted.split(outcome.findings)
    outcome.findings = selection.kept
    report = Report(
        outcome,
        source,
        client,
        renderer,
        file=file,
        name=name,
        fail_on=threshold,
        folds=wanted.confidence is None,
    )
    _deliver(report.pieces(Format(format_), [*selection.notes(wanted)]), output)
    if threshold is not None and outcome.status == "completed":
        for line in verdict(outcome, threshold, honour_suppressions=honour_suppressions):
            write(f"{line}\n", err=True)
    sys.exit(exit_status(outcome, threshold, honour_suppressions=honour_suppressions))


def _renderer(name: str, code: str | None, url: str, *, is_terminal: bool) -> Renderer:
    """Return the renderer of a run.

    :param code: the code to show with findings.
    :param is_terminal: whether findings are written to a terminal.
    """
    text = FindingText(
        name,
        code=code,
        colour=is_terminal and wants_colour(sys.stdout),
        width=terminal_width() if is_terminal else None,
    )
    return Renderer(
        name,
        text,
        err_colour=wants_colour(sys.stderr),
        live=is_live(sys.stderr),
        url=url,
    )


def _format(given: str, *, as_json: bool, as_sarif: bool) -> str:
    """Return the output format from --format and its aliases."""
    named = {Format.JSON.value} if as_json else set()
    named |= {Format.SARIF.value} if as_sarif else set()
    if given != Format.TEXT:
        named.add(given)
    if len(named) > 1:
        raise click.UsageError("Choose one output format: --format, --json or --sarif.")
    return named.pop() if named else given


def _check_filter(wanted: Filter, threshold: Severity | None) -> None:
    """Reject a filter that hides findings from --fail-on."""
    if wanted.severity is not None and threshold and threshold.rank > wanted.severity.rank:
        raise click.UsageError(
            f"--severity {wanted.severity} hides findings that --fail-on {threshold} looks for. "
            f"Use --severity {threshold}, or --fail-on {wanted.severity}."
        )


def _deliver(pieces: Iterable[Piece], output: Path | None) -> None:
    """Write the pieces to the terminal, or the standard output among them to a file."""
    if output is None:
        show(pieces)
        return
    text = ""
    for piece in pieces:
        if piece.err:
            write(piece.text, err=True)
        else:
            text += piece.text
    replace_file(output, text.encode("utf-8", "backslashreplace"))
    write_line(f"Wrote {output}.", err=True)


def exit_status(
    outcome: ReceivedRun, fail_on: Severity | None, *, honour_suppressions: bool = False
) -> int:
    """Return the exit status for a run that has ended. A run that did not complete fails, even
    without findings."""
    if outcome.status != "completed":
        return EXIT_NOT_COMPLETED
    if fail_on is None:
        return 0
    if outcome.reaches(fail_on, honour_suppressions=honour_suppressions):
        return EXIT_FINDINGS
    return 0 if outcome.checked_all else EXIT_NOT_COMPLETED


@click.command(short_help="List the rules.")
@click.option("--language", help="Show only rules for this language.")
@click.option("--analyzer", help="Show only rules of this analyzer.")
@click.option("--cwe", help="Show only rules for this weakness class, such as CWE-89.")
@click.option("--search", help='Show only rules with all of these words: "sql injection".')
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rules(
    language: str | None,
    analyzer: str | None,
    cwe: str | None,
    search: str | None,
    as_json: bool,
) -> None:
    """List the rules of all analyzers, including those of plugins.

    The search covers titles, summaries, IDs, former IDs, CWE numbers and names, and languages.

    The command reads the local installation and the plugins in the instance folder. A remote
    service lists its rules at /docs/rules. Analyzers without listed rules are left out.
    """
    with look_at_app(at_plugins=False) as app:
        from codeintel.base.errors import ServiceError
        from codeintel.runs.capability_types import RuleQuery

        query = RuleQuery(
            language=UNSET if language is None else language,
            analyzer=UNSET if analyzer is None else analyzer,
            cwe=UNSET if cwe is None else _cwe(cwe),
            q=search or UNSET,
        )
        catalogue = services_of(app).catalogue
        try:
            listed = catalogue.rules(query)
        except ServiceError as error:
            if error.details.get("path") == "analyzer":
                known = {rule.analyzer for rule in catalogue.rules(RuleQuery())}
                raise Failure(_unknown("analyzer", analyzer or "", known)) from None
            names = [each.name for each in languages()]
            raise Failure(_unknown("language", language or "", names)) from None
    if as_json:
        write_json({"rules": listed})
    else:
        rows = [_row(rule) for rule in listed]
        width = terminal_width()
        write(table(_HEADERS, rows, width) if rows else "No rules match.\n")
        if rows and width is not None:
            write_line(f"{counted(len(rows), 'rule')}.")


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Return the error for an unknown language or analyzer."""
    text = f'Unknown {what} "{name}".{did_you_mean(name, known)}'
    advice = f"Run `codeintel rules` to list all {what}s with rules."
    return " ".join(filter(None, (text, advice, missing_instance())))


def _cwe(given: str) -> str:
    """Return `CWE-89` for `CWE-89`, `cwe-89` and `89`."""
    number = given.strip().upper().removeprefix("CWE-")
    if not (number.isascii() and number.isdigit()):
        raise click.BadParameter(
            f"{given!r} is not a weakness class such as CWE-89.", param_hint="--cwe"
        )
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
