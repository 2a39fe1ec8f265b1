"""How what a model wrote is compared: it promises nothing, and the kinds say what to expect."""

from __future__ import annotations

from codeintel.contracts import Equivalence, TransformTask
from codeintel.verification.readable import DIALECTS, FORMATS

_DOCUMENT = "document"


def expected_equivalence(task: TransformTask) -> Equivalence | None:
    """The comparison that every right answer passes; for Python one that some pass. None where
    answers may differ from the original in ways that nobody can follow."""
    both = {task.language, task.target}
    if both <= FORMATS:
        return Equivalence.DATA_MODEL
    if both <= DIALECTS.keys():
        return Equivalence.QUERY_PLAN
    if task.language != task.target:
        return None
    is_python = task.language == "python"
    if task.kind == _DOCUMENT:
        return Equivalence.SYNTAX_TREE if is_python else Equivalence.COMMENTS
    return Equivalence.NORMAL_FORM if is_python else None
