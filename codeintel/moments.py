"""Points in time, as the API shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec

Moment = Annotated[datetime, msgspec.Meta(tz=True)]
"""A time with its zone, always UTC here: `date-time` in the OpenAPI document."""
