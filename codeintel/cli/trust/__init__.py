"""`codeintel trust`: package scores, names and forecasts.

Its commands are imported when they are used, as in `codeintel` itself.
"""

from __future__ import annotations

import click

from codeintel.cli import LazyGroup

# The help texts are repeated here, so that --help imports no commands. A test compares them.
_COMMANDS = {
    "cohort": ("codeintel.cli.trust.cohort:cohort", "Freeze the scores that ranks compare with."),
    "explain": ("codeintel.cli.trust.explain:explain", "Explain the score of a package."),
    "forecast": ("codeintel.cli.trust.forecast:forecast", "Forecast the series of a table."),
    "names": ("codeintel.cli.trust.names:names", "Find lookalikes of popular names."),
    "refresh": ("codeintel.cli.trust.refresh:refresh", "Fetch new evidence about packages."),
    "replay": ("codeintel.cli.trust.replay:replay", "Compute a score again from its inputs."),
}


@click.group(cls=LazyGroup, lazy=_COMMANDS, short_help="Score packages and check their names.")
def trust() -> None:
    """Score packages, explain the scores, and check package names."""
