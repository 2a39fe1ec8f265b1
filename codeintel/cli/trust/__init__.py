"""`codeintel trust`: scores, names and forecasts from a terminal.

Its commands are imported when they are used, as those of `codeintel` itself.
"""

from __future__ import annotations

import click

from codeintel.cli import LazyGroup

# The help stands here too, so that listing the commands imports none; a test compares.
_COMMANDS = {
    "cohort": ("codeintel.cli.trust.cohort:cohort", "Freeze scores that ranks are against."),
    "explain": ("codeintel.cli.trust.explain:explain", "Show a package's score with its reasons."),
    "forecast": ("codeintel.cli.trust.forecast:forecast", "Forecast the series of a file."),
    "names": ("codeintel.cli.trust.names:names", "Find names that imitate famous ones."),
    "refresh": ("codeintel.cli.trust.refresh:refresh", "Ask again about packages."),
    "replay": ("codeintel.cli.trust.replay:replay", "Prove that a score follows from its inputs."),
}


@click.group(cls=LazyGroup, lazy=_COMMANDS, short_help="Scores, names, forecasts.")
def trust() -> None:
    """How far packages can be trusted, and why."""
