"""`codeintel rules`: list what can be found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec import UNSET

from codeintel.cli import common
from codeintel.cli.text import table

if TYPE_CHECKING:
    from codeintel.capabilities.shapes import ListedRule

_HEADERS = ("analyzer", "rule", "severity", "confidence", "cwe", "finds")


@click.command(short_help="List the rules.")
@click.option("--language", help="Only rules for this language.")
@click.option("--analyzer", help="Only rules of this analyser.")
@click.option("--cwe", help="Only rules for this weakness, such as CWE-89.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rules(language: str | None, analyzer: str | None, cwe: str | None, as_json: bool) -> None:
    """List the rules by which analysers find things, those of plugins included.

    Analysers that list no rules are not in it.
    """
    with common.look_at_app(at_plugins=True) as app:
        from codeintel.capabilities.shapes import RuleQuery

        query = RuleQuery(
            language=UNSET if language is None else language,
            analyzer=UNSET if analyzer is None else analyzer,
            cwe=UNSET if cwe is None else _cwe(cwe),
        )
        listed = common.services_of(app).catalogue.rules(query)
    if as_json:
        common.write_json({"rules": listed})
    else:
        rows = [_row(rule) for rule in listed]
        text = table(_HEADERS, rows, common.terminal_width()) if rows else "No rules.\n"
        common.write(text)


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
