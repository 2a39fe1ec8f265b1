"""What the commands share that call a service: which one, its refusals, and following a run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any, TypeVar

import click

from codeintel.base.version import DEFAULT_URL
from codeintel.cli.common import write
from codeintel.cli.outcome import Outcome
from codeintel.cli.render import Piece
from codeintel.client import ApiError, Client, ClientError, ConnectionFailed
from codeintel.server.opening import Failure

_Command = TypeVar("_Command", bound=Callable[..., None])
EXIT_NOT_COMPLETED = 3
EXIT_INTERRUPTED = 130  # what shells give a command that Ctrl-C ended


def service_options(command: _Command) -> _Command:
    """Add `--url` and `--key`."""
    command = click.option(
        "--key",
        envvar="CODEINTEL_API_KEY",
        show_envvar=True,
        help="API key. Others on this machine can read a command line: better set the variable.",
    )(command)
    return click.option(
        "--url",
        envvar="CODEINTEL_URL",
        default=DEFAULT_URL,
        show_default=True,
        show_envvar=True,
        help="Where the service is.",
    )(command)


def new_client(url: str, key: str | None) -> Client:
    """A client for a service.

    :raises Failure: if the URL or the key cannot be one.
    """
    try:
        return Client(url, key)
    except ValueError as error:
        raise Failure(
            f"{error} Check --url and --key, CODEINTEL_URL and CODEINTEL_API_KEY."
        ) from None


@contextmanager
def told_failures() -> Iterator[None]:
    """End the command, in the service's own words, where it refuses or cannot be reached."""
    try:
        yield
    except ApiError as error:
        raise Failure(_refusal(error)) from None
    except ConnectionFailed as error:
        hint = "Is the service running there? Name its address with --url or CODEINTEL_URL."
        raise Failure(f"{error} {hint}") from None


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
