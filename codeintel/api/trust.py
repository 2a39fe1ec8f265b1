"""GET /api/trust/network."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import gevent
import msgspec
from flask import Blueprint, Response, g, request
from msgspec import UNSET

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.logging import spawn
from codeintel.contracts import Target
from codeintel.http.endpoint import endpoint, remote_key, services
from codeintel.http.errors import json_response, unversioned
from codeintel.http.operation import Answer, Operation
from codeintel.identity.auth.caller import Caller
from codeintel.platform.limits.service import LimitState
from codeintel.trust.reports import age_seconds
from codeintel.trust.service import Snapshot
from codeintel.trust.shapes import (
    ComparisonSnapshot,
    OverviewSnapshot,
    PackageReport,
    PackageSnapshot,
    TrustKind,
    TrustQuery,
)
from codeintel.trust.targets import parse_comparison, parse_target

blueprint = Blueprint("trust", __name__, url_prefix="/api/trust")

Body = PackageSnapshot | ComparisonSnapshot | OverviewSnapshot
MAX_AGE = 60
"""The number of seconds for which an answer may be cached."""
_encode = msgspec.json.Encoder().encode


@blueprint.get("/network")
@endpoint(
    Operation(
        summary="Read the trust network",
        description=(
            "A package's trust score with its evidence and uncertainty, its neighbors in the "
            "network, and its `codeGenome`: rank, forecasts, recommendations and moat signals. "
            "`kind=comparison` compares 2 to 10 packages. Without `kind` and `target`, the answer "
            "describes the whole network, with the weights of all signals. If an upstream fails, "
            "only its own signals are `missing` or `stale`, and `unavailable` has the reason."
        ),
        tag="Trust",
        query=TrustQuery,
        answers={
            200: Answer("The package, the comparison or the network.", Body, enveloped=False),
            304: Answer("Not modified since `If-None-Match`.", enveloped=False),
        },
        errors=(ErrorCode.NOT_FOUND, ErrorCode.UPSTREAMS_UNAVAILABLE, ErrorCode.OVERLOADED),
    )
)
def network(caller: Caller, query: TrustQuery) -> Response:
    """Return the snapshot, or 304 for its ETag. The ETag is weak because ages differ each time."""
    body = look(query)
    response = json_response(unversioned(_aged(body)))
    response.headers["ETag"] = f'W/"{hashlib.sha256(_encode(body)).hexdigest()[:32]}"'
    if caller.is_anonymous:
        age = MAX_AGE if is_whole(body) else 0
        response.headers["Cache-Control"] = f"public, max-age={age}"
    # A cached response must not be served for an invalid credential.
    response.headers["Vary"] = "Authorization, X-Api-Key"
    if "If-None-Match" in request.headers:
        response.make_conditional(request)
    return response


def look(query: TrustQuery) -> Body:
    """Return the answer to a query.

    :raises ServiceError: `invalid_request`, `rate_limit_exceeded`, and as
        :meth:`codeintel.trust.service.Trust.snapshot`.
    """
    trust, lookups = services().trust, _Lookups()
    if query.target is UNSET:
        if query.kind is not UNSET:
            raise ServiceError(
                ErrorCode.INVALID_REQUEST,
                "`kind` needs a `target`. Omit both for the whole network.",
                details={"path": "target"},
            )
        return trust.reports.overview()
    try:
        if query.kind is TrustKind.COMPARISON:
            return trust.reports.comparison(_all(parse_comparison(query.target), lookups.admit))
        snapshot = trust.snapshots.snapshot(parse_target(query.target), lookups.admit)
    except ServiceError as error:
        if error.code is ErrorCode.RATE_LIMIT_EXCEEDED:
            g.limit = lookups.refused  # the answer's headers report it
        raise
    return trust.reports.package(snapshot, query)


class _Lookups:
    """Counts the packages that the sender of a request has upstreams queried for."""

    def __init__(self) -> None:
        self._limits = services().limits
        # Read the request now, because packages are collected in other greenlets.
        self._is_anonymous = g.caller.is_anonymous
        self._who = g.caller.account_id or remote_key()
        self.refused: LimitState | None = None

    def admit(self) -> None:
        """Count a package against the limits.

        :raises ServiceError: `rate_limit_exceeded`.
        """
        state = self._limits.hit_lookup(self._who)
        if self._is_anonymous and not state.exceeded:
            state = self._limits.hit_anonymous_lookup()
        if state.exceeded:
            self.refused = state
            raise state.refusal()


def _all(targets: Sequence[Target], admit: Callable[[], None]) -> list[Snapshot]:
    """Return the snapshots of several packages, collected in parallel.

    :raises ServiceError: the first error, if a package has no snapshot.
    """
    snapshots = services().trust.snapshots
    jobs = [spawn(_kept, snapshots.snapshot, target, admit) for target in targets]
    gevent.joinall(jobs)
    found = []
    for job in jobs:
        each = job.get()
        if isinstance(each, Exception):
            raise each
        found.append(each)
    return found


def _kept(
    ask: Callable[[Target, Callable[[], None]], Snapshot],
    target: Target,
    admit: Callable[[], None],
) -> Snapshot | Exception:
    """Return a snapshot or the exception. If the exception ended the greenlet, gevent would print
    it.
    """
    try:
        return ask(target, admit)
    except Exception as error:  # noqa: BLE001 - it is raised where all are waited for
        return error


def is_whole(body: Body) -> bool:
    """Return whether all upstreams were reachable."""
    return not any(each.unavailable for each in _reports(body))


def _reports(body: Body) -> Sequence[PackageReport]:
    if isinstance(body, PackageSnapshot):
        return [body]
    return body.packages if isinstance(body, ComparisonSnapshot) else ()


def _aged(body: Body) -> Body:
    """Return the body with the current ages of its snapshots."""
    if isinstance(body, PackageSnapshot):
        return msgspec.structs.replace(body, age_seconds=age_seconds(body.collected_at))
    if isinstance(body, ComparisonSnapshot):
        packages = (
            msgspec.structs.replace(each, age_seconds=age_seconds(each.collected_at))
            for each in body.packages
        )
        return msgspec.structs.replace(body, packages=tuple(packages))
    return body
