"""Count the values of a JSON body in a worker process before the body is decoded.

A push of 20 MiB may contain seven million empty lists, and decoding them would stop all other
requests for seconds. Texts of any length are decoded quickly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.platform.workers.text_functions import TextFunction, TextWorkError

if TYPE_CHECKING:
    from codeintel.platform.workers.text_pool import TextPool

MAX_VALUES = 100_000
"""The limit for a body. The largest push, with its list of omitted files, has a third of it."""
_PART_BYTES = 4 * 1024 * 1024
# A string without an end extends to the end of the body. Otherwise the search would repeat.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)


def counted(parts: Iterable[bytes]) -> Iterator[int]:
    """Yield the approximate number of values in the document: one for each comma and each opening
    bracket.
    """
    bare = _STRING.sub(b"", b"".join(parts))
    yield sum(bare.count(mark) for mark in (b",", b"[", b"{"))


JSON_SHAPE = TextFunction("json_shape", counted, bytes, int, seconds=10.0)


def check_shape(texts: TextPool, account_id: str, raw: bytes) -> None:
    """Check the number of values in a body.

    :raises ServiceError: `payload_too_large` for a body with too many values to decode.
    """
    parts = (raw[start : start + _PART_BYTES] for start in range(0, len(raw), _PART_BYTES))
    try:
        actual = sum(texts.run(account_id, JSON_SHAPE, parts))
    except TextWorkError:
        raise ServiceError(
            ErrorCode.OVERLOADED, "The body could not be checked. Send it again.", retry_after=5
        ) from None
    if actual > MAX_VALUES:
        raise ServiceError(
            ErrorCode.PAYLOAD_TOO_LARGE,
            f"The body has more than {MAX_VALUES:,} values. Send fewer files or fields.",
            details={"limit": MAX_VALUES, "actual": actual, "unit": "values"},
        )
