"""The command `codeintel`.

Commands are imported when they are used: the help and the client need no web framework, and `serve`
must patch the standard library before anything else is imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from io import UnsupportedOperation
from typing import Any

import click

from codeintel.base.version import __version__
from codeintel.server import INTERRUPTED

BROKEN_PIPE = 141
"""Exit status of a command whose reader went away, as shells have it; click's own would be 1, which
of `analyze` says that a finding was bad enough."""

# The help stands here too, so that listing the commands imports none; a test compares.
_COMMANDS = {
    "accounts": ("codeintel.cli.accounts:accounts", "Make, show and invite accounts."),
    "analyze": ("codeintel.cli.analyze:analyze", "Analyse a file."),
    "audit": ("codeintel.cli.keys:audit", "Show who did what."),
    "backup": ("codeintel.cli.operating.backup:backup", "Back the database up."),
    "config": ("codeintel.cli.operating.installation:config", "Show the settings."),
    "credits": ("codeintel.cli.keys:credits_", "Grant credits."),
    "doctor": (
        "codeintel.cli.operating.installation:doctor",
        "Find out what is wrong, and how to fix it.",
    ),
    "jobs": ("codeintel.cli.operating.jobs:jobs", "List, show and cancel background jobs."),
    "keys": ("codeintel.cli.keys:keys", "Make, list, rotate and revoke API keys."),
    "openapi": ("codeintel.cli.operating.installation:openapi", "Print the OpenAPI document."),
    "plugins": ("codeintel.cli.operating.installation:plugins", "List the plugins."),
    "pull": ("codeintel.cli.workspaces.pull:pull", "Fetch what was changed in a workspace."),
    "push": ("codeintel.cli.workspaces.push:push", "Push a folder as a workspace."),
    "restore": ("codeintel.cli.operating.backup:restore", "Restore a backup."),
    "rules": ("codeintel.cli.analyze:rules", "List the rules."),
    "search": ("codeintel.cli.search:search", "Search registries."),
    "serve": ("codeintel.cli.operating.serve:serve", "Run the service."),
    "sources": ("codeintel.cli.search:sources", "List the search sources."),
    "status": ("codeintel.cli.workspaces.status:status", "Compare a folder with its workspace."),
    "token": ("codeintel.cli.keys:token", "Make a short-lived token."),
    "transform": ("codeintel.cli.transform:transform", "Transform a file."),
    "trust": ("codeintel.cli.trust:trust", "Scores, names, forecasts."),
    "worker": ("codeintel.cli.operating.serve:worker", "Work on background jobs."),
}
_ASKS_UPSTREAMS = (["trust", "explain"], ["trust", "refresh"])


class LazyGroup(click.Group):
    """A group that imports a command when it is asked for by name.

    :param lazy: where each command is, as `module:name`, and its line of help.
    """

    def __init__(self, *args: Any, lazy: Mapping[str, tuple[str, str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in self._lazy:
            return None
        module, _, attribute = self._lazy[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_) for name, (_, help_) in self._lazy.items()])


class _Main(LazyGroup):
    """The command itself, which ends quietly when it is interrupted or nobody reads it."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        with _until_the_reader_leaves():  # it is this that prints the help
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> object:
        try:
            with _until_the_reader_leaves():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)


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


def run() -> None:
    """The console script. Commands that ask many upstreams at once need the standard library
    patched before anything else is imported; tests, which patch nothing, call `main`."""
    if sys.argv[1:3] in _ASKS_UPSTREAMS:
        from codeintel.base.gevent_patch import patch_all

        patch_all()
    main()


@click.group(cls=_Main, lazy=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="codeintel")
def main() -> None:
    """Code intelligence: run the service, manage it, or analyze code with it."""
