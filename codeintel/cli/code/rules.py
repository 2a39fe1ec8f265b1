"""`codeintel rules`: list what can be found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec import UNSET

from codeintel.cli import common
from codeintel.cli.output.text import table
from codeintel.server.opening import Failure, services_of

if TYPE_CHECKING:
    from codeintel.runs.capabilities import ListedRule

_HEADERS = ("analyzer", "rule", "severity", "confidence", "cwe", "finds")


@click.command(short_help="List the rules.")
@click.option("--language", help="Only rules for this language.")
@click.option("--analyzer", help="Only rules of this analyser.")
@click.option("--cwe", help="Only rules for this weakness, such as CWE-89.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rules(language: str | None, analyzer: str | None, cwe: str | None, as_json: bool) -> None:
    """List the rules by which analysers find things, those of plugins included.

    It reads what is installed here, with the plugins of the instance folder, and asks no service:
    one that runs elsewhere shows its own at /docs/rules. Analysers that list no rules are left out.
    """
    with common.look_at_app(at_plugins=False) as app:
        from codeintel.base.errors import ServiceError
        from codeintel.runs.capabilities import RuleQuery

        query = RuleQuery(
            language=UNSET if language is None else language,
            analyzer=UNSET if analyzer is None else analyzer,
            cwe=UNSET if cwe is None else _cwe(cwe),
        )
        try:
            listed = services_of(app).catalogue.rules(query)
        except ServiceError as error:
            raise Failure(_unknown(str(error.details.get("path")))) from None
    if as_json:
        common.write_json({"rules": listed})
    else:
        rows = [_row(rule) for rule in listed]
        text = table(_HEADERS, rows, common.terminal_width()) if rows else "No rules.\n"
        common.write(text)


def _unknown(option: str) -> str:
    """The refusal of a name that nothing here has; what an instance has may be missing."""
    what = "analyser" if option == "analyzer" else option
    text = f"No {what} of that name is known here: leave --{option} out to see all that are."
    hint = common.missing_instance()
    return f"{text} {hint}" if hint else text


def _cwe(given: str) -> str:
    """`CWE-89` for `CWE-89`, `cwe-89` and `89`."""
    number = given.strip().upper().removeprefix("CWE-")
    if not (number.isascii() and number.isdigit()):
        raise click.BadParameter("it must be like CWE-89.", param_hint="--cwe")
    return f"CWE-{number}"


def _row(rule: ListedRule) -> tuple[str, ...]:
    return (
        rule.analyzer,
        rule.id,
        rule.severity.value,
        rule.confidence.value,
        rule.cwe or "-",
        rule.summary,
    )
