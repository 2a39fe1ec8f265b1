"""`codeintel audit`: what was done: sign-ins, keys, credits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from codeintel.cli import common
from codeintel.cli.output.text import table

if TYPE_CHECKING:
    from codeintel.identity.audit import AuditEvent

HEADERS = ("time", "account", "what", "by", "address", "subject", "details")
MAX_LIMIT = 500


class _Time(click.ParamType["datetime"]):
    """A time as the list shows it; without a zone it is UTC."""

    name = "time"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        try:
            read = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a time such as 2026-01-31T12:00:00Z.", param, ctx)
        return read if read.tzinfo is not None else read.replace(tzinfo=UTC)


@click.command(short_help="Show who did what.")
@click.argument("email", required=False)
@click.option(
    "--limit",
    type=click.IntRange(1, MAX_LIMIT),
    default=50,
    show_default=True,
    help="How many events; more, if the last ones are of one moment.",
)
@click.option("--before", type=_Time(), help="Only what is older, such as the last time shown.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def audit(email: str | None, limit: int, before: datetime | None, as_json: bool) -> None:
    """Show sign-ins, key events and changes of credits, newest first: those of the account of
    EMAIL, or everybody's."""
    with common.open_services() as services:
        account_id = services.accounts.find(email).id if email else None
        before_ms = round(before.timestamp() * 1000) if before else None
        events = services.audit.events(account_id, limit, before_ms)
    if as_json:
        common.write_json({"events": events})
        return
    rows = [_row(event) for event in events]
    common.write(
        table(HEADERS, rows, common.terminal_width()) if rows else "Nothing was done yet.\n"
    )


def _row(event: AuditEvent) -> tuple[str, ...]:
    details = ", ".join(f"{name} {value}" for name, value in event.details.items() if value != "")
    return (
        event.at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        event.email or "-",
        event.kind.value,
        event.actor,
        event.address or "-",
        event.subject or "-",
        details or "-",
    )
