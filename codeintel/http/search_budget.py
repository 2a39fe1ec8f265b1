"""What one caller's searches may have registries asked."""

from __future__ import annotations

from codeintel.contracts import SearchSource, SourceError, SourceProblem
from codeintel.http.endpoint import remote_key, services
from codeintel.identity.auth.caller import Caller
from codeintel.platform.limits.service import LimitState
from codeintel.search.service import Admit


def search_budget(caller: Caller) -> Admit:
    """Counts the requests that a caller's searches need: by account or address, and those of all
    callers without an account together, so that accounts keep a share of what a registry allows."""
    # Now, as sources are asked beside the request.
    limits, who = services().limits, caller.account_id or remote_key()

    def admit(source: SearchSource) -> None:
        state = limits.hit_search_call(who, source.name)
        if not state.exceeded and caller.is_anonymous:
            state = limits.hit_anonymous_search_call(source.name, source.per_minute)
        if state.exceeded:
            raise _used_up(source, state, is_anonymous=caller.is_anonymous)

    return admit


def _used_up(source: SearchSource, state: LimitState, *, is_anonymous: bool) -> SourceError:
    told = f"The new searches that {source.label} is sent for you are used up for now."
    if is_anonymous:
        told = (
            f"The new searches that {source.label} is sent for callers without an account are used "
            "up for now: sign in, or send an API key."
        )
    return SourceError(SourceProblem.RATE_LIMITED, told, state.wait)
