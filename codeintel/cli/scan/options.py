"""The options of all commands that scan."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from codeintel.cli.remote import key_option

_Command = TypeVar("_Command", bound=Callable[..., None])


def where_options(command: _Command) -> _Command:
    """Add `--local`, `--url` and `--key`, which say what scans."""
    command = key_option(command)
    command = click.option(
        "--url",
        envvar="CODEINTEL_URL",
        show_envvar=True,
        help="Scan on the service at this address. Default: scan on this machine.",
    )(command)
    return click.option(
        "--local", is_flag=True, help="Scan on this machine, even if CODEINTEL_URL names a service."
    )(command)
