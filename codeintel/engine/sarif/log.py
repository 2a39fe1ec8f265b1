"""The log: one run with its tool, its results, and what could not be done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codeintel.contracts import AnalysisResult
from codeintel.engine.sarif.artifacts import Artifact
from codeintel.engine.sarif.notifications import analyzer_notifications, descriptors, invocation
from codeintel.engine.sarif.reading import read
from codeintel.engine.sarif.results import results
from codeintel.engine.sarif.rules import Components, Rules

VERSION = "2.1.0"
SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

CONVENTIONS: Mapping[str, Any] = {
    "columnKind": "unicodeCodePoints",
    "defaultEncoding": "UTF-8",
    "newlineSequences": ["\r\n", "\n", "\r"],
}
"""How our ranges count, in every run."""
NO_RULES: Rules = {}


def sarif_log(
    analysis: AnalysisResult | Mapping[str, Any],
    artifact: Artifact,
    rules: Rules = NO_RULES,
    *,
    unfinished: str = "",
    service: str = "",
) -> dict[str, Any]:
    """An analysis as a SARIF log, ready for a JSON encoder.

    :param analysis: the result, or its JSON document, which need not be whole.
    :param artifact: what was analysed.
    :param rules: what is known about rules; of others their findings tell.
    :param service: the address of the service, whose pages of rules are referred to.
    :param unfinished: a sentence, if the analysis did not come to its end.
    """
    result, misread = read(analysis)
    notifications = list(analyzer_notifications(result.analyzers, misread, unfinished))
    components = Components(result, rules, service)
    run: dict[str, Any] = {
        "tool": components.tool(descriptors(notifications)),
        "invocations": [invocation(notifications)],
        "originalUriBaseIds": artifact.bases(),
        "artifacts": [artifact.entry(result.language)],
        "results": results(result.findings, artifact, components),
        "taxonomies": components.taxonomies(),
        **CONVENTIONS,
        "properties": {"engine": result.engine, "metrics": result.metrics},
    }
    return log_of(run)


def log_of(run: Mapping[str, Any]) -> dict[str, Any]:
    """A log with one run. An empty list of results says that nothing was found; other empty members
    say nothing, and are left out."""
    kept = {key: value for key, value in run.items() if value or key == "results"}
    return {"$schema": SCHEMA, "version": VERSION, "runs": [kept]}
