"""Following a run from a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import Any

from codeintel.cli.common import write
from codeintel.cli.output.outcome import Outcome
from codeintel.cli.output.render import Piece
from codeintel.cli.remote import new_client, told_failures
from codeintel.client import Client, ClientError
from codeintel.server.opening import Failure

EXIT_NOT_COMPLETED = 3
EXIT_INTERRUPTED = 130  # what shells give a command that Ctrl-C ended


class Unfinished(Failure):
    """Ends the command when a run that had begun did not come to its end."""

    exit_code = EXIT_NOT_COMPLETED


def client_with_key(url: str, key: str | None, scope: str) -> Client:
    """A client for what needs a key.

    :raises Failure: if there is none.
    """
    if not key:
        raise Failure(
            "There is no API key. Make one where the service runs, with `codeintel keys create "
            f"EMAIL --name NAME --scope {scope}`, and set CODEINTEL_API_KEY to it."
        )
    return new_client(url, key)


def follow(
    events: Generator[dict[str, Any], None, None],
    shown: Callable[[dict[str, Any]], Iterable[Piece]],
) -> Outcome:
    """Show the events while they arrive, and gather what they come to."""
    outcome = Outcome()
    try:
        with closing(events), told_failures():
            for event in events:
                outcome.add(event)
                show(shown(event))
    except ClientError as error:
        message = f"{error}{_run(outcome)}"
        raise (Unfinished(message) if outcome.run_id else Failure(message)) from None
    except KeyboardInterrupt:
        write(f"\nInterrupted: the service cancels the run.{_run(outcome)}\n", err=True)
        sys.exit(EXIT_INTERRUPTED)
    return outcome


def show(pieces: Iterable[Piece]) -> None:
    """Write pieces where they belong."""
    for piece in pieces:
        write(piece.text, err=piece.err)


def _run(outcome: Outcome) -> str:
    return f" [run {outcome.run_id}]" if outcome.run_id else ""
