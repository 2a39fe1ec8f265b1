"""The command `codeintel`.

Commands are imported when they are used: the help and the client need no web framework, and `serve`
must patch the standard library before anything else is imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import UnsupportedOperation
from typing import Any, NamedTuple

import click

from codeintel.base.version import __version__
from codeintel.server import INTERRUPTED

BROKEN_PIPE = 141
"""Exit status of a command whose reader went away, as shells have it; click's own would be 1, which
of `analyze` says that a finding was bad enough."""


class _Command(NamedTuple):
    target: str
    help: str


# The help stands here too, so that listing the commands imports none; a test compares.
_COMMANDS = {
    "accounts": _Command(
        "codeintel.cli.accounts.commands:accounts", "Make, show and invite accounts."
    ),
    "analyze": _Command("codeintel.cli.code.analyze:analyze", "Analyse a file."),
    "audit": _Command("codeintel.cli.accounts.audit:audit", "Show who did what."),
    "backup": _Command("codeintel.cli.operating.backup:backup", "Back the database up."),
    "config": _Command("codeintel.cli.operating.config:config", "Show the settings."),
    "credits": _Command("codeintel.cli.accounts.credits:credits_", "Grant credits."),
    "doctor": _Command(
        "codeintel.cli.operating.doctor:doctor", "Find out what is wrong, and how to fix it."
    ),
    "jobs": _Command("codeintel.cli.operating.jobs:jobs", "List, show and cancel background jobs."),
    "keys": _Command("codeintel.cli.accounts.keys:keys", "Make, list, rotate and revoke API keys."),
    "openapi": _Command("codeintel.cli.operating.openapi:openapi", "Print the OpenAPI document."),
    "plugins": _Command("codeintel.cli.operating.plugins:plugins", "List the plugins."),
    "pull": _Command(
        "codeintel.cli.workspaces.pull:pull", "Fetch what was changed in a workspace."
    ),
    "push": _Command("codeintel.cli.workspaces.push:push", "Push a folder as a workspace."),
    "restore": _Command("codeintel.cli.operating.backup:restore", "Restore a backup."),
    "rules": _Command("codeintel.cli.code.rules:rules", "List the rules."),
    "search": _Command("codeintel.cli.code.search:search", "Search registries."),
    "serve": _Command("codeintel.cli.operating.serve:serve", "Run the service."),
    "sources": _Command("codeintel.cli.code.sources:sources", "List the search sources."),
    "status": _Command(
        "codeintel.cli.workspaces.status:status", "Compare a folder with its workspace."
    ),
    "token": _Command("codeintel.cli.accounts.token:token", "Make a short-lived token."),
    "transform": _Command("codeintel.cli.code.transform:transform", "Transform a file."),
    "trust": _Command("codeintel.cli.trust.commands:trust", "Scores, names, forecasts."),
    "worker": _Command("codeintel.cli.operating.serve:worker", "Work on background jobs."),
}


class _LazyGroup(click.Group):
    """A group that imports a command when it is asked for by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        module, _, attribute = _COMMANDS[cmd_name].target.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        with _until_the_reader_leaves():  # it is this that prints the help
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> object:
        try:
            with _until_the_reader_leaves():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help) for name, command in _COMMANDS.items()])


@contextmanager
def _until_the_reader_leaves() -> Iterator[None]:
    """End the process quietly once nobody reads its output, as `head` does after its lines."""
    try:
        yield
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            try:  # what is still in its buffer would raise once more at the very end
                os.dup2(nowhere, stream.fileno())
            except UnsupportedOperation:  # a test's stream
                continue
        sys.exit(BROKEN_PIPE)


_ASKS_UPSTREAMS = (["trust", "explain"], ["trust", "refresh"])


def run() -> None:
    """The console script. Commands that ask many upstreams at once need the standard library
    patched before anything else is imported; tests, which patch nothing, call `main`."""
    if sys.argv[1:3] in _ASKS_UPSTREAMS:
        from codeintel.base.gevent_patch import patch_all

        patch_all()
    main()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="codeintel")
def main() -> None:
    """Code intelligence: run the service, manage it, or analyse code with it."""
