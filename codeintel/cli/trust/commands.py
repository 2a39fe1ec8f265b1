"""`codeintel trust`: scores, names and forecasts from a terminal.

Its commands are imported when they are used, as those of `codeintel` itself.
"""

from __future__ import annotations

from importlib import import_module

import click

# The help stands here too, so that listing the commands imports none; a test compares.
COMMANDS = {
    "cohort": ("codeintel.cli.trust.cohort:cohort", "Freeze scores that ranks are against."),
    "explain": ("codeintel.cli.trust.explain:explain", "Show a package's score with its reasons."),
    "forecast": ("codeintel.cli.trust.forecast:forecast", "Forecast the series of a file."),
    "names": ("codeintel.cli.trust.names:names", "Find names that imitate famous ones."),
    "refresh": ("codeintel.cli.trust.refresh:refresh", "Ask again about packages."),
    "replay": ("codeintel.cli.trust.replay:replay", "Prove that a score follows from its inputs."),
}


class _LazyCommands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_) for name, (_, help_) in COMMANDS.items()])


@click.group(cls=_LazyCommands, short_help="Scores, names, forecasts.")
def trust() -> None:
    """How far packages can be trusted, and why."""
