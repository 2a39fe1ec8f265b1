"""Fields that bodies of several routes have."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from codeintel.base.text.patterns import NOT_BLANK
from codeintel.contracts.analysis import MAX_CODE_CHARACTERS

Code = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_CODE_CHARACTERS,
        pattern=NOT_BLANK,
        description="The code; not blank.",
    ),
]
"""Its length counts Unicode code points."""
