"""What the scope of an npm name may be an imitation of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rapidfuzz import process
from rapidfuzz.distance import OSA

from codeintel.trust.names.candidate import Candidate
from codeintel.trust.names.shapes import CERTAIN, Edit, EditKind
from codeintel.trust.names.spelling.distances import plain, skeleton
from codeintel.trust.names.spelling.edits import spelling_edit
from codeintel.trust.names.tables import FamousNames

_SHORTEST_SCOPE = 4


def scope_candidates(names: FamousNames, name: str) -> Iterator[Candidate]:
    """Famous scopes that the scope of a name resembles."""
    scope, _, rest = name[1:].partition("/")
    seen = plain(scope)
    near = process.extract(
        seen, names.scopes.keys(), scorer=OSA.distance, score_cutoff=1, limit=None
    )
    found = {str(known) for known, *_ in near}
    if (alike := names.scopes_by_skeleton.get(skeleton(seen))) is not None:
        found.add(alike)
    for known in sorted(found):
        if len(known) < _SHORTEST_SCOPE or abs(len(known) - len(seen)) > 1:
            continue
        if seen == known:
            edit, place = _same_scope(scope), 0
        else:
            edit, place = spelling_edit(seen, known)
        chance = CERTAIN if seen == known else 0.0
        target, rank = f"@{known}/{rest}", names.scopes[known].rank
        yield Candidate(target, rank, edit, seen, known, place, True, "", chance)


def _same_scope(scope: str) -> Edit:
    """The edit of a scope that looks the same to a reader."""
    if scope.isascii():
        return Edit(EditKind.CASE, "only capital and small letters of the scope differ")
    return Edit(EditKind.HOMOGLYPH, "the scope has letters other than a to z")


def unclosed_scope(name: str, letters: str) -> Iterator[Candidate]:
    """A name that looks as if it had a scope, which npm does not allow."""
    if name.startswith("@") and (joint := re.search(r"(?<=\w)[-_.](?=\w)", name)):
        target = f"{name[: joint.start()]}/{name[joint.end() :]}"
        edit = Edit(EditKind.SCOPE, f"`{joint[0]}` is in the place of the `/` after a scope")
        yield Candidate(target, 0, edit, letters, letters, 0, probability=CERTAIN)
