"""Follow values across the files of a repository: summarize each file, then link the summaries.

:func:`summarize` interprets one file once and needs no other file. Its result can be stored by the
content of the file, its :func:`summary_kind` and :data:`VERSION`. :func:`link` resolves imports and
calls between files, and returns the values that reach a sink in another file. :func:`finding_of`
makes findings of the taint analyzer from them. All are pure.
"""

from codeintel.engine.dataflow.project.findings import finding_of
from codeintel.engine.dataflow.project.linking import (
    Budget,
    Counts,
    CrossFinding,
    CrossStep,
    Linked,
    link,
)
from codeintel.engine.dataflow.project.records import VERSION, FileSummary
from codeintel.engine.dataflow.project.summarizing.summaries import (
    LANGUAGES,
    summarize,
    summary_kind,
)

__all__ = [
    "LANGUAGES",
    "VERSION",
    "Budget",
    "Counts",
    "CrossFinding",
    "CrossStep",
    "FileSummary",
    "Linked",
    "finding_of",
    "link",
    "summarize",
    "summary_kind",
]
