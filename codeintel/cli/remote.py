"""What the commands share that call a service: which one, with which key, and what its refusals
look like."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from codeintel.base.version import DEFAULT_URL
from codeintel.client import ApiError, Client, ConnectionFailed
from codeintel.server.opening import Failure

_Command = TypeVar("_Command", bound=Callable[..., None])


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
