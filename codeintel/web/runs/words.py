"""How runs have gone, in words. Pure."""

from __future__ import annotations

from codeintel.base.text.quantities import counted, duration
from codeintel.contracts import RunKind
from codeintel.contracts.states import RunState
from codeintel.contracts.transformations import Check, CheckStatus
from codeintel.runs.queries import lasted_ms
from codeintel.runs.store import RunRecord

KINDS = {RunKind.ANALYSIS: "Analysis", RunKind.TRANSFORM: "Transformation"}
_STATES = {
    RunState.INCOMPLETE: "It did not come to its end.",
    RunState.FAILED: "It failed, and cost nothing.",
    RunState.CANCELLED: "It was stopped.",
}
_REASONS = {
    "cancel_requested": "You asked for its end.",
    "client_disconnected": "Nobody was reading any more, so it was stopped.",
    "shutdown": "The service was shutting down. Start it again.",
    "time_limit": "It took longer than a run may. Shorter code takes less time.",
    "length": "The model's answer reached its longest length. Ask for less at once.",
    "content_filter": "The model's API withheld the answer.",
    "lease_expired": "The process that worked on it is gone. Start it again.",
    "service_restarted": "The service was restarted. Start it again.",
    "backup_restored": "The service was restored from a backup. Start it again.",
    "internal_error": "The service failed. Start it again; its log tells the operator why.",
    "no_code": "The model sent no complete file. Start it again.",
    "transformation_failed": "What transforms the code failed on it.",
    "invalid_code": "The code cannot be read in its language: choose another, or mend the code.",
    "no_analyzer_completed": "No analyser could check the code: nothing is known of it.",
    "database_unavailable": "The database was out of reach. Start it again.",
    "unsupported": "This code cannot be transformed that way.",
    "unsupported_without_model": "Only a model could do this, and there is none here.",
    "not_verified": "The new code did not pass its checks, so the original came back.",
    "upstream_unreachable": "The model's API could not be reached.",
    "upstream_rate_limited": "The model's API had too much to do. Try again later.",
    "upstream_unavailable": "The model's API was not available. Try again later.",
    "upstream_refused": "The model's API refused the request: its settings may be wrong.",
    "upstream_timeout": "The model's API did not answer in time.",
}
_OTHER_UPSTREAM = "The model's API broke off its answer. Start it again."
_CHECKS = {
    "parses": "It can be read",
    "equivalent": "It means the same",
    "same_values": "It gives the same values",
    "same_interface": "Its interface is the same",
    "no_new_findings": "It has no new findings",
    "stable": "Doing it again changes nothing",
    "same_behaviour": "It behaves the same when it is run",
}
_OUTCOMES = {
    CheckStatus.PASSED: "passed",
    CheckStatus.FAILED: "failed",
    CheckStatus.NOT_APPLICABLE: "not checked",
}


def how_it_went(record: RunRecord) -> str:
    """One or two sentences about a run that has ended, but was not completed."""
    if not record.reason:
        return _STATES[record.state]
    other = _OTHER_UPSTREAM if record.reason.startswith("upstream_") else ""
    why = _REASONS.get(record.reason, other) or f"The reason is `{record.reason}`."
    return f"{_STATES[record.state]} {why}"


def cost(record: RunRecord) -> str:
    """What was charged, beside the price where that is more."""
    if record.charged is None:
        return f"{counted(record.price, 'credit')} at most"
    if record.charged == record.price:
        return counted(record.charged, "credit")
    return f"{counted(record.charged, 'credit')} of {record.price:,}"


def took(record: RunRecord) -> str:
    """How long it took, or has taken until now."""
    milliseconds = lasted_ms(record)
    return (
        f"{milliseconds / 1000:.1f} s" if milliseconds < 10_000 else duration(milliseconds / 1000)
    )


def check_title(check: Check) -> str:
    """What a check looked for."""
    return _CHECKS.get(check.name, check.name.replace("_", " ").capitalize())


def check_outcome(check: Check) -> str:
    """How it ended."""
    return _OUTCOMES[check.status]
