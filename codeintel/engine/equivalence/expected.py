"""How what a model wrote is compared: it promises nothing, and the kinds say what to expect."""

from __future__ import annotations

from codeintel.contracts import Equivalence, TransformTask
from codeintel.engine.equivalence.readable import DIALECTS, FORMATS

_DOCUMENT = "document"
_FOLLOWED = frozenset({"javascript", "typescript", "tsx"})
"""Languages whose functions are compared by their paths."""


def expected_equivalence(task: TransformTask) -> Equivalence | None:
    """The comparison that every right answer passes; for Python, JavaScript and TypeScript one that
    some pass. None where no comparison can show that an answer is right."""
    both = {task.language, task.target}
    if both <= FORMATS:
        return Equivalence.DATA_MODEL
    if both <= DIALECTS.keys():
        return Equivalence.QUERY_PLAN
    if (task.language, task.target) == ("typescript", "javascript"):
        return Equivalence.TYPE_REMOVAL
    if task.language != task.target:
        return None
    is_python = task.language == "python"
    if task.kind == _DOCUMENT:
        return Equivalence.SYNTAX_TREE if is_python else Equivalence.COMMENTS
    is_followed = is_python or task.language in _FOLLOWED
    return Equivalence.NORMAL_FORM if is_followed else None
