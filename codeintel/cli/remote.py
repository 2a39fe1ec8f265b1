"""Helpers for commands that call a service: its address, its errors, and following a run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any, TypeVar

import click

from codeintel.base.version import DEFAULT_URL
from codeintel.base.wording import counted
from codeintel.cli.outcome import ReceivedRun, as_object, as_text, as_texts
from codeintel.cli.output import write
from codeintel.cli.render import Piece
from codeintel.cli.suggestions import did_you_mean
from codeintel.client import ApiError, Client, ClientError, ConnectionFailed
from codeintel.contracts.languages import canonical_language, is_known, languages
from codeintel.server.opening import Failure

_Command = TypeVar("_Command", bound=Callable[..., None])
_FOR_PROGRAMS = "`GET /api/v1/capabilities`"
_FOR_PEOPLE = "/docs/guides/transformations on the service"
"""What error messages name instead of a request, which a command does not send."""
EXIT_NOT_COMPLETED = 3
EXIT_INTERRUPTED = 130  # what shells give a command that Ctrl-C ended


def key_option(command: _Command) -> _Command:
    """Add `--key`."""
    return click.option(
        "--key",
        envvar="CODEINTEL_API_KEY",
        show_envvar=True,
        help="The API key. Prefer the variable: other users can see command lines.",
    )(command)


def service_options(command: _Command) -> _Command:
    """Add `--url` and `--key`."""
    command = key_option(command)
    return click.option(
        "--url",
        envvar="CODEINTEL_URL",
        default=DEFAULT_URL,
        show_default=True,
        show_envvar=True,
        help="The address of the service.",
    )(command)


def new_client(url: str, key: str | None) -> Client:
    """Return a client for a service.

    :raises Failure: if the URL or the key is invalid.
    """
    try:
        return Client(url, key)
    except ValueError as error:
        raise Failure(
            f"{error} Check --url and --key, CODEINTEL_URL and CODEINTEL_API_KEY."
        ) from None


@contextmanager
def told_failures() -> Iterator[None]:
    """End the command with a message if the service rejects the request or cannot be reached."""
    try:
        yield
    except ApiError as error:
        raise Failure(_refusal(error)) from None
    except ConnectionFailed as error:
        hint = "Is the service running? Set its address with --url or CODEINTEL_URL."
        raise Failure(f"{error} {hint}") from None


def _refusal(error: ApiError) -> str:
    """Return the message of the service, the time to wait, and the details in brackets."""
    text = error.message.replace(_FOR_PROGRAMS, _FOR_PEOPLE)
    if error.retry_after is not None and "try again in" not in text.lower():
        text += f" Try again in {counted(error.retry_after, 'second')}."
    details = [f"{error.status} {error.code}"] if error.code else []
    details += _details(error.details)
    if error.request_id:
        details.append(f"request {error.request_id}")
    return f"{text} [{', '.join(details)}]" if details else text


def _details(details: Mapping[str, Any]) -> Iterator[str]:
    """Return the details that fit in a line, such as `price: 2`."""
    for name, value in details.items():
        if isinstance(value, str | int):
            yield f"{name}: {value}"


def check_language(client: Client, language: str) -> None:
    """Reject a language that is unknown here and to the service, if another has a similar name.

    :raises Failure: with the similar name.
    """
    if is_known(canonical_language(language)):
        return
    hint = did_you_mean(language, (each.name for each in languages()))
    if hint and not _has_capability(client, "languages", language):
        raise Failure(f'Unknown language "{language}".{hint}')


def check_kind(client: Client, kind: str) -> None:
    """Reject an unknown kind of transformation.

    :raises Failure: with the known kinds and a similar one.
    """
    known = _capabilities(client, "transformations") or []
    if known and kind not in known:
        raise Failure(
            f'Unknown kind "{kind}".{did_you_mean(kind, known)} Kinds: {", ".join(sorted(known))}.'
        )


def check_rules(client: Client, wanted: Iterable[str]) -> None:
    """Reject the ID of a rule that the service does not list. Former IDs are listed, too.

    :raises Failure: with a similar ID.
    """
    try:
        listed = [as_object(rule) for rule in client.rules()]
    except ClientError:
        return
    former = (each for rule in listed for each in as_texts(rule.get("formerly")))
    known = {*(as_text(rule.get("id")) for rule in listed), *former}
    for rule_id in wanted:
        if rule_id not in known:
            advice = "Run `codeintel rules --search WORDS` to find a rule."
            raise Failure(f'Unknown rule "{rule_id}".{did_you_mean(rule_id, known)} {advice}')


def _has_capability(client: Client, list_: str, name: str) -> bool:
    """Return whether the service knows a name, or cannot be asked."""
    known = _capabilities(client, list_)
    return known is None or name.lower() in known


def _capabilities(client: Client, list_: str) -> list[str] | None:
    """Return the names in a list of the service's capabilities, or None if it cannot be asked."""
    try:
        return [as_text(as_object(each).get("name")) for each in client.capabilities(list_)]
    except ClientError:
        return None


class Unfinished(Failure):
    """Ends the command if a run has started but did not end."""

    exit_code = EXIT_NOT_COMPLETED


def client_with_key(url: str, key: str | None, scope: str) -> Client:
    """Return a client with a key.

    :raises Failure: if there is no key.
    """
    if not key:
        raise Failure(
            "No API key. On the machine of the service, run `export "
            "CODEINTEL_API_KEY=$(codeintel keys create)`. Otherwise create a key with the scope "
            f"{scope} at {url.rstrip('/')}/account/keys and set CODEINTEL_API_KEY."
        )
    return new_client(url, key)


def follow(
    events: Generator[dict[str, Any], None, None],
    shown: Callable[[dict[str, Any]], Iterable[Piece]],
) -> ReceivedRun:
    """Show the events as they arrive and return the outcome of the run."""
    outcome = ReceivedRun()
    try:
        with closing(events), told_failures():
            for event in events:
                outcome.add(event)
                show(shown(event))
    except ClientError as error:
        message = f"{error}{_run(outcome)}"
        raise (Unfinished(message) if outcome.run_id else Failure(message)) from None
    except KeyboardInterrupt:
        write(f"\nInterrupted. The service cancels the run.{_run(outcome)}\n", err=True)
        sys.exit(EXIT_INTERRUPTED)
    return outcome


def show(pieces: Iterable[Piece]) -> None:
    """Write pieces to standard output or standard error."""
    for piece in pieces:
        write(piece.text, err=piece.err)


def _run(outcome: ReceivedRun) -> str:
    return f" [run {outcome.run_id}]" if outcome.run_id else ""
