"""GET /api/v1/health."""

from __future__ import annotations

from flask import Blueprint, Response

from codeintel.http.endpoint import exempt, services
from codeintel.http.envelope import data_response
from codeintel.http.operation import Answer, Operation
from codeintel.platform.health import HealthReport, Status

blueprint = Blueprint("health", __name__, url_prefix="/api/v1")


@blueprint.get("/health")
@exempt(
    Operation(
        summary="Report the health of the service",
        description=(
            "Asks the database and Redis now, each within a short deadline. A dead Redis is "
            "`degraded` and still 200, and so is a clock that is more than 5 s from the "
            "database's; only an unhealthy or draining service answers 503."
        ),
        tag="Health",
        answers={
            200: Answer("Healthy or degraded.", HealthReport),
            503: Answer("Unhealthy or shutting down.", HealthReport),
        },
    )
)
def health() -> Response:
    """The report, and 503 if it is bad."""
    report = services().health.report()
    return data_response(report, 503 if report.status is Status.UNHEALTHY else 200)
