"""V2 for what a model wrote: the same constants, and no call or import that was not there."""

from __future__ import annotations

from codeintel.verification.comparison import Comparison
from codeintel.verification.evidence import Evidence, failed, not_applicable, passed
from codeintel.verification.vocabulary_numbers import changed_numbers
from codeintel.verification.vocabulary_python import python_vocabulary
from codeintel.verification.vocabulary_reach import new_imports, new_reach
from codeintel.verification.vocabulary_texts import changed_texts
from codeintel.verification.vocabulary_trees import can_read, tree_vocabulary
from codeintel.verification.vocabulary_words import Vocabulary


def compare(comparison: Comparison) -> Evidence:
    """Compare constants, imports, and the calls that reach outside of a program."""
    if not comparison.by_model:
        return not_applicable("What rules have changed is compared in other ways.")
    source, target = comparison.language, comparison.target
    if not (_can_read(source) and _can_read(target)):
        return not_applicable("The constants of these languages are not told apart.")
    before = _vocabulary(comparison.before, source)
    if before is None:
        return not_applicable("The constants of the original could not be read.")
    after = _vocabulary(comparison.after, target)
    if after is None:
        return not_applicable("The constants of the result could not be read.")
    same_language = source == target
    faults = [
        *changed_numbers(before, after, same_language),
        *changed_texts(before, after),
        *new_reach(before, after, same_language),
        *(new_imports(before, after, target) if same_language else ()),
    ]
    if faults:
        return failed(" ".join(faults[:3]))
    imports = " and imports" if same_language else ""
    return passed(
        f"{len(before.numbers)} numbers and {len(before.texts)} texts of the original are in the"
        f" result, and no others; its calls{imports} reach nothing outside that is new."
    )


def _can_read(language: str) -> bool:
    return language == "python" or can_read(language)


def _vocabulary(code: str, language: str) -> Vocabulary | None:
    if language == "python":
        return python_vocabulary(code)
    return tree_vocabulary(code, language)
