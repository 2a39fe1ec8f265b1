"""The one spelling of package names that their registry takes for the same."""

from __future__ import annotations

import re


def pypi_name(name: str) -> str:
    """As https://packaging.python.org/en/latest/specifications/name-normalization/ has it. The
    library `packaging` does the same, and takes longer to import than most starts have to spare."""
    return re.sub(r"[-_.]+", "-", name).lower()
