"""The log of an analysis of many files: one run with an artifact for each of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any
from urllib.parse import quote

from codeintel.contracts import AnalysisResult, Finding
from codeintel.engine.sarif.artifacts import Artifact
from codeintel.engine.sarif.log import CONVENTIONS, NO_RULES, log_of
from codeintel.engine.sarif.notifications import Notification, descriptors, invocation
from codeintel.engine.sarif.results import has_suppressed, results
from codeintel.engine.sarif.rules import Components, Rules


@dataclass(frozen=True)
class FileFindings:
    """The findings in one file.

    :param artifact: the file; its fingerprints are those of the findings. Its place in the log is
        found out.
    :param baselines: SARIF's `baselineState` of each finding: `new`, `unchanged` or `absent`. Empty
        without a run before: SARIF wants all results of a run to tell it, or none.
    """

    artifact: Artifact
    findings: Sequence[Finding]
    language: str | None = None
    baselines: Sequence[str] = ()


@dataclass(frozen=True)
class Tree:
    """An analysis of many files.

    :param unchecked: files that were not analysed: their addresses, and sentences that say why.
    :param unfinished: a sentence, if the analysis did not come to its end.
    :param about: more members of the run, such as `automationDetails`.
    """

    files: Sequence[FileFindings]
    engine: str
    unchecked: Sequence[tuple[str, str]] = ()
    unfinished: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)


def tree_log(tree: Tree, rules: Rules = NO_RULES, *, service: str = "") -> dict[str, Any]:
    """An analysis of many files as a SARIF log, ready for a JSON encoder.

    :param rules: what is known about rules; of others their findings tell.
    :param service: the address of the service, whose pages of rules are referred to.
    """
    files = _indexed(tree.files)
    findings = tuple(chain.from_iterable(each.findings for each in files))
    whole = AnalysisResult(
        language=None, engine=tree.engine, summary="", findings=findings, metrics={}, analyzers=()
    )
    components = Components(whole, rules, service)
    told = list(_notifications(tree))
    run: dict[str, Any] = {
        "tool": components.tool(descriptors(told)),
        "invocations": [invocation(told)],
        "originalUriBaseIds": Artifact("").bases(),
        "artifacts": [each.artifact.entry(each.language) for each in files],
        "results": _results(files, components, has_suppressed(findings)),
        "taxonomies": components.taxonomies(),
        **CONVENTIONS,
        "properties": {"engine": tree.engine},
        **tree.about,
    }
    return log_of(run)


def path_uri(path: str) -> str:
    """The address of a path within a tree; with a leading `/`, too, relative to its root."""
    return quote(path.lstrip("/"), safe="/", errors="surrogatepass")


def _indexed(files: Iterable[FileFindings]) -> list[FileFindings]:
    return [
        replace(each, artifact=replace(each.artifact, index=index))
        for index, each in enumerate(files)
    ]


def _results(
    files: Iterable[FileFindings], components: Components, tell_suppressed: bool
) -> list[dict[str, Any]]:
    found = []
    for file in files:
        made = results(file.findings, file.artifact, components, tell_suppressed)
        for result, state in zip(made, file.baselines, strict=False):
            result["baselineState"] = state
        found += made
    return found


def _notifications(tree: Tree) -> Iterable[Notification]:
    if tree.unfinished:
        yield Notification("run-unfinished", "error", tree.unfinished)
    for uri, why in tree.unchecked:
        address = Artifact(uri).address()
        yield Notification("file-unchecked", "warning", why, address=address)
