"""How GitHub says that its limits are used up
(https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api)."""

from __future__ import annotations

from codeintel.contracts import SourceAnswer
from codeintel_plugins.registries.rows import until


def is_limit(answer: SourceAnswer) -> bool:
    """The limits come as 403, too."""
    return answer.status == 429 or (
        answer.status == 403
        and (
            "retry-after" in answer.headers
            or _is_used_up(answer)
            or b"secondary rate limit" in answer.body.lower()
        )
    )


def until_reset(answer: SourceAnswer, now: float) -> float | None:
    """Seconds to the Unix time at which a limit begins anew; None if the answer tells none."""
    if not _is_used_up(answer):
        return None
    return until(answer.headers.get("x-ratelimit-reset", ""), now)


def _is_used_up(answer: SourceAnswer) -> bool:
    return answer.headers.get("x-ratelimit-remaining") == "0"
