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
from codeintel.cli.suggestions import did_you_mean
from codeintel.server import INTERRUPTED

BROKEN_PIPE = 141
"""The exit status if the reader of the output ends early, as in shells. click would exit with 1,
which means a failed gate for `analyze`."""

# The help texts are repeated here, so that --help imports no commands. A test compares them.
_COMMANDS = {
    "accounts": ("codeintel.cli.accounts:accounts", "Manage accounts."),
    "analyze": ("codeintel.cli.analyze:analyze", "Analyze a file."),
    "audit": ("codeintel.cli.keys:audit", "Show the audit log."),
    "backup": ("codeintel.cli.operating.backup:backup", "Back up the database."),
    "baseline": (
        "codeintel.cli.scan.baseline_command:baseline",
        "Accept the current findings of a repository.",
    ),
    "config": ("codeintel.cli.operating.installation:config", "Show all settings."),
    "credits": ("codeintel.cli.keys:credits_", "Grant credits."),
    "demo": ("codeintel.cli.operating.demo:demo", "Load demo data, or remove it."),
    "doctor": (
        "codeintel.cli.operating.installation:doctor",
        "Check the installation and suggest fixes.",
    ),
    "jobs": ("codeintel.cli.operating.jobs:jobs", "Manage background jobs."),
    "keys": ("codeintel.cli.keys:keys", "Manage API keys."),
    "openapi": ("codeintel.cli.operating.installation:openapi", "Print the OpenAPI document."),
    "plugins": ("codeintel.cli.operating.installation:plugins", "List the plugins."),
    "pull": ("codeintel.cli.workspaces.pull:pull", "Fetch online edits of a workspace."),
    "push": ("codeintel.cli.workspaces.push:push", "Push a folder as a workspace."),
    "restore": ("codeintel.cli.operating.backup:restore", "Restore a backup."),
    "rules": ("codeintel.cli.analyze:rules", "List the rules."),
    "scan": ("codeintel.cli.scan.command:scan", "Scan a repository."),
    "search": ("codeintel.cli.search:search", "Search package registries."),
    "serve": ("codeintel.cli.operating.serve:serve", "Run the service."),
    "sources": ("codeintel.cli.search:sources", "List the search sources."),
    "status": ("codeintel.cli.workspaces.status:status", "Compare a folder with its workspace."),
    "token": ("codeintel.cli.keys:token", "Create a short-lived token."),
    "transform": ("codeintel.cli.transform:transform", "Transform a file."),
    "trust": ("codeintel.cli.trust:trust", "Score packages and check their names."),
    "worker": ("codeintel.cli.operating.serve:worker", "Run background jobs."),
}
_ALIASES = {"analyse": "analyze"}
_ASKS_UPSTREAMS = (["trust", "explain"], ["trust", "refresh"])
_ANALYZES_HERE = (["baseline"], ["demo"], ["scan"])


class LazyGroup(click.Group):
    """A group that imports a command when it is used.

    :param lazy: the module and name of each command, as `module:name`, and its help.
    :param aliases: other names of commands, which the help does not list.
    """

    def __init__(
        self,
        *args: Any,
        lazy: Mapping[str, tuple[str, str]],
        aliases: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self._lazy = lazy
        self._aliases = aliases or {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        cmd_name = self._aliases.get(cmd_name, cmd_name)
        if cmd_name not in self._lazy:
            return None
        module, _, attribute = self._lazy[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the arguments. Suggest a command for a mistyped name."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            name = args[0]
            if name.startswith("-"):
                raise
            message = f'No such command "{name}".{did_you_mean(name, self._lazy)}'
            raise click.UsageError(message, ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_) for name, (_, help_) in self._lazy.items()])


class _Main(LazyGroup):
    """The main command, which ends quietly if it is interrupted or its reader ends."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        with _until_the_reader_leaves():  # prints the help
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> object:
        try:
            with _until_the_reader_leaves():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)


@contextmanager
def _until_the_reader_leaves() -> Iterator[None]:
    """End the process quietly if the reader of its output ends, as `head` does."""
    try:
        yield
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            try:  # flushing the buffer at exit would raise again
                os.dup2(nowhere, stream.fileno())
            except UnsupportedOperation:  # a test's stream
                continue
        sys.exit(BROKEN_PIPE)


def run() -> None:
    """Run the console script. Commands that call many upstreams, or that analyze in this process,
    patch the standard library before all other imports. Tests call `main` instead, which does not
    patch."""
    if sys.argv[1:3] in _ASKS_UPSTREAMS or sys.argv[1:2] in _ANALYZES_HERE:
        from codeintel.base.gevent_patch import patch_all

        patch_all()
    main()


@click.group(
    cls=_Main,
    lazy=_COMMANDS,
    aliases=_ALIASES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="codeintel")
def main() -> None:
    """Self-hosted code intelligence: run a service, manage it, and analyze code with it.

    \b
    To get started:
      codeintel serve
      export CODEINTEL_API_KEY=$(codeintel keys create)
      codeintel analyze path/to/file.py
    """
