"""Find the names that a name may imitate, with the edit that leads to the name."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from rapidfuzz import process
from rapidfuzz.distance import OSA

from codeintel.trust.names.ecosystems import registry_spelling
from codeintel.trust.names.shapes import CERTAIN, Candidate, Edit, EditKind
from codeintel.trust.names.spelling import (
    compact,
    is_language,
    plain,
    scope_of,
    skeleton,
    sound,
    spelling_edit,
    stripped,
    tokens,
)
from codeintel.trust.names.tables import Famous, FamousNames

_SHORTEST_SCOPE = 4


def scope_candidates(names: FamousNames, name: str) -> Iterator[Candidate]:
    """Yield the famous scopes that the scope of a name resembles."""
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
    """Return the edit of a scope that looks the same to a reader."""
    if scope.isascii():
        return Edit(EditKind.CASE, "only capital and small letters of the scope differ")
    return Edit(EditKind.HOMOGLYPH, "the scope has letters other than a to z")


def unclosed_scope(name: str, letters: str) -> Iterator[Candidate]:
    """Yield the scoped name for a name that only looks scoped, which npm does not allow."""
    if name.startswith("@") and (joint := re.search(r"(?<=\w)[-_.](?=\w)", name)):
        target = f"{name[: joint.start()]}/{name[joint.end() :]}"
        edit = Edit(EditKind.SCOPE, f"`{joint[0]}` replaces the `/` after a scope")
        yield Candidate(target, 0, edit, letters, letters, 0, probability=CERTAIN)


_MOST_NEAR = 6
# Most names near shorter ones exist by chance.
_SHORTEST_EDITED = 4
_SHORTEST_TWICE_EDITED = 7


def famous_candidates(names: FamousNames, name: str) -> Iterator[Candidate]:
    """Yield the famous names that a name resembles, in no order, possibly repeated."""
    if names.ecosystem == "npm" and scope_of(name):
        yield from scope_candidates(names, name)
        return
    seen = plain(name)
    letters = compact(seen)
    if not letters:
        return
    if names.ecosystem == "npm":
        yield from unclosed_scope(name, letters)
    yield from _disguised(names, name, seen, letters)
    affixed = tuple(_affixed(names, seen))
    yield from affixed
    explained = {each.target for each in affixed}
    for each in _near(names, letters):
        if each.target not in explained and not _adds_word(seen, each.target):
            yield each


def _disguised(names: FamousNames, name: str, seen: str, letters: str) -> Iterator[Candidate]:
    """Yield names with the same letters, words or looks."""
    if (same := names.by_letters.get(letters)) is not None:
        edit = _same_letters(names.ecosystem, name, seen, same)
        # npm allows no new names with capitals, and few of the old ones are used.
        is_certain = edit.kind in {EditKind.HOMOGLYPH, EditKind.CASE}
        chance = CERTAIN if is_certain else 0.0
        yield msgspec.structs.replace(_whole(same, edit, letters), probability=chance)
    elif (alike := names.by_skeleton.get(skeleton(name))) is not None:
        edit, place = spelling_edit(letters, alike.letters)
        edit = Edit(EditKind.HOMOGLYPH, edit.detail)
        yield Candidate(alike.name, alike.rank, edit, letters, alike.letters, place)
    heard = names.by_sound.get(sound(letters))
    if heard is not None and OSA.distance(heard.letters, letters) in (2, 3):
        edit = Edit(EditKind.SOUND, f"`{letters}` sounds like `{heard.letters}`")
        yield _whole(heard, edit, letters)
    words = tuple(sorted(tokens(seen)))
    turned = names.by_words.get(words)
    if turned is not None and turned.letters != letters:
        edit = Edit(EditKind.WORD_ORDER, f"the words of `{turned.name}` are in another order")
        yield _whole(turned, edit, letters)


def _whole(famous: Famous, edit: Edit, letters: str) -> Candidate:
    return Candidate(famous.name, famous.rank, edit, letters, famous.letters, 0)


def _same_letters(ecosystem: str, name: str, seen: str, same: Famous) -> Edit:
    if not name.isascii():
        foreign = "".join(dict.fromkeys(each for each in name if not each.isascii()))
        return Edit(EditKind.HOMOGLYPH, f"`{foreign}` is not of the letters a to z")
    if registry_spelling(ecosystem, seen) == same.name.lower():
        return Edit(EditKind.CASE, "only capital and small letters differ")
    if scope_of(same.name):
        return Edit(EditKind.SCOPE, f"the scope of `{same.name}` is written without `@` and `/`")
    return Edit(EditKind.SEPARATORS, f"only the separators of `{same.name}` differ")


def _near(names: FamousNames, letters: str, most: int | None = None) -> Iterator[Candidate]:
    """Yield names at one edit or, if they are long, two."""
    cutoff = most or (2 if len(letters) >= _SHORTEST_TWICE_EDITED else 1)
    found = process.extract(
        letters, names.letters, scorer=OSA.distance, score_cutoff=cutoff, limit=_MOST_NEAR
    )
    for near, distance, _ in found:
        if distance and len(near) >= _SHORTEST_EDITED:
            famous = names.by_letters[near]
            edit, place = spelling_edit(letters, near)
            yield Candidate(famous.name, famous.rank, edit, letters, near, place)


def _adds_word(seen: str, target: str) -> bool:
    """Return whether one name is the other with an added word: a related package, not a typo."""
    fewer, more = sorted((tokens(seen), tokens(target)), key=len)
    return len(fewer) < len(more) and fewer in (more[: len(fewer)], more[-len(fewer) :])


def _affixed(names: FamousNames, seen: str) -> Iterator[Candidate]:
    """Yield names with a common word before or after them, added or omitted."""
    for rest, affix in stripped(seen):
        letters = compact(rest)
        detail = f"`{affix}` is added"
        if (same := names.by_letters.get(letters)) is not None:
            edit = Edit(EditKind.AFFIX, detail)
            yield Candidate(same.name, same.rank, edit, letters, letters, 0, affix=affix)
        elif is_language(affix) and len(letters) > 4:
            for near in _near(names, letters, most=1):
                edit = Edit(EditKind.SEVERAL, f"{near.edit.detail}, and {detail}")
                yield msgspec.structs.replace(near, edit=edit, affix=affix)
    if (longer := names.by_rest.get(compact(seen))) is not None:
        famous, affix = longer
        edit = Edit(EditKind.AFFIX, f"`{affix}` is left out")
        yield Candidate(famous.name, famous.rank, edit, famous.letters, famous.letters, 0)
