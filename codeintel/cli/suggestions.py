"""Suggestions for mistyped names: commands, option values, languages and kinds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return ` Did you mean "python"?` for a close match, or an empty string."""
    from difflib import get_close_matches

    names = {name.lower(): name for name in known}
    close = get_close_matches(given.lower(), names, n=1, cutoff=0.6)
    return f' Did you mean "{names[close[0]]}"?' if close else ""


class Choice(click.Choice[Any]):
    """A choice that suggests the closest value for a mistyped one."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return the error message for a value."""
        known = [str(choice) for choice in self.choices]
        return super().get_invalid_choice_message(value, ctx) + did_you_mean(str(value), known)
