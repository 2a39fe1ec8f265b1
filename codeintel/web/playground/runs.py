"""Runs that the playground's form starts, without scripts."""

from __future__ import annotations

from flask import request

from codeintel.api.analyze import analysis
from codeintel.api.transformations.views import transformation
from codeintel.http.endpoint import services
from codeintel.http.requests.connection import client_is_gone
from codeintel.identity.auth.caller import Caller
from codeintel.runs.events.log import RunLog
from codeintel.runs.events.tail import tail
from codeintel.web.playground.form import PlaygroundForm


def start(caller: Caller, form: PlaygroundForm) -> RunLog:
    """Start what the form asks for, as the API does; returns the log of the run.

    :raises ServiceError: as the API's routes.
    """
    if form.is_analysis:
        return analysis(caller, form.analysis, form.number_of(form.analysis))
    kind = services().plugins.registry.kinds.get(form.task)
    body = form.transformation(changes_language=kind is not None and kind.changes_language)
    return transformation(caller, body, form.number_of(body))


def follow(log: RunLog, caller: Caller) -> None:
    """Read a run to its end: one that nobody reads is stopped. It ends at its own limit of time."""
    for _ in tail(log, client_is_gone(request), services().callers.still_valid(caller)):
        pass
