"""V2 for what a model wrote: the same constants, and no call or import that was not there."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.engine.equivalence.behaviour_heuristics.changes import (
    changed_constants,
    changed_operations,
)
from codeintel.engine.equivalence.behaviour_heuristics.comments import acting_comment, comments_only
from codeintel.engine.equivalence.behaviour_heuristics.markup import changed_markup, is_markup
from codeintel.engine.equivalence.behaviour_heuristics.observable import are_observable
from codeintel.engine.equivalence.behaviour_heuristics.operations import (
    Program,
    emptied,
    missing_definitions,
    not_converted,
)
from codeintel.engine.equivalence.behaviour_heuristics.python_operations import python_operations
from codeintel.engine.equivalence.behaviour_heuristics.python_vocabulary import python_vocabulary
from codeintel.engine.equivalence.behaviour_heuristics.reach import (
    new_imports,
    new_reach,
    reaches_outside,
)
from codeintel.engine.equivalence.behaviour_heuristics.tree_operations import tree_operations
from codeintel.engine.equivalence.behaviour_heuristics.tree_vocabulary import (
    can_read,
    tree_vocabulary,
)
from codeintel.engine.equivalence.behaviour_heuristics.vocabulary import (
    Vocabulary,
    changed_numbers,
    changed_texts,
)
from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)

__all__ = ["comments_only", "compare"]
_MAX_SAID = 3


def compare(comparison: Comparison) -> Evidence:
    """Compare constants, what functions do with them, imports, and the calls that reach outside of
    a program.

    The failure is tentative where only what functions do has changed, and the program reaches
    nothing outside: then running the code may show more than counting does."""
    if not comparison.by_model:
        return not_applicable("What rules have changed is compared in other ways.")
    source, target = comparison.language, comparison.target
    acting = acting_comment(comparison)
    if acting:
        return failed(acting)
    if source == target and is_markup(source):
        return _markup(comparison)
    if not (_can_read(source) and _can_read(target)):
        return not_applicable("The constants of these languages are not told apart.")
    was = _program(comparison.before, source)
    before = _vocabulary(comparison.before, source) if was is not None else None
    if before is None or was is None:
        return not_applicable("The constants of the original could not be read.")
    now = _program(comparison.after, target)
    after = _vocabulary(comparison.after, target) if now is not None else None
    if after is None or now is None:
        return not_applicable("The constants of the result could not be read.")
    same_language = source == target
    numbers = list(changed_numbers(before, after, same_language))
    shows = bool(numbers) and source == target == "python" and _show(comparison)
    faults = [
        *(() if shows else numbers),
        *changed_texts(before, after),
        *new_reach(before, after, same_language, target),
        *emptied(was, now),
        *(_changed(before, after, was, now, target) if same_language else ()),
        *(not_converted(was, now, source, target) if not same_language else ()),
    ]
    doubts = [*(numbers if shows else ()), *(changed_operations(was, now) if same_language else ())]
    if faults or doubts:
        can_settle = not (faults or reaches_outside(before) or reaches_outside(after))
        said = " ".join(dict.fromkeys([*faults, *doubts][:_MAX_SAID]))
        return failed(said, tentative=can_settle)
    imports = " and imports" if same_language else ""
    count = len(was.units) - 1
    does = f" {count} functions do things of the same kinds." if same_language and count else ""
    return passed(
        f"{len(before.numbers)} numbers and {len(before.texts)} texts of the original are in the"
        f" result, and no others; its calls{imports} reach nothing outside that is new.{does}"
    )


def _show(comparison: Comparison) -> bool:
    """Whether runs show the numbers that differ."""
    try:
        return are_observable(comparison.before, comparison.after)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _changed(
    before: Vocabulary, after: Vocabulary, was: Program, now: Program, language: str
) -> Iterator[str]:
    """Yield the faults of code in the same language."""
    yield from new_imports(before, after, language)
    yield from missing_definitions(was, now)
    yield from changed_constants(was, now)


def _markup(comparison: Comparison) -> Evidence:
    faults = changed_markup(comparison.before, comparison.after, comparison.language)
    if faults is None:
        return not_applicable("What the original or the result shows could not be read.")
    if faults:
        return failed(" ".join(faults[:_MAX_SAID]))
    return passed("The result has the same texts and values as the original, and no others.")


def _can_read(language: str) -> bool:
    return language == "python" or can_read(language)


def _vocabulary(code: str, language: str) -> Vocabulary | None:
    if language == "python":
        return python_vocabulary(code)
    return tree_vocabulary(code, language)


def _program(code: str, language: str) -> Program | None:
    if language == "python":
        return python_operations(code)
    return tree_operations(code, language)
