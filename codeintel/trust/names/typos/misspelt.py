"""Names that nearly consist of known words: what they would be if they did."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeintel.trust.names.candidate import Candidate
from codeintel.trust.names.shapes import Edit, EditKind
from codeintel.trust.names.spelling.affixes import is_glued, is_language, stripped
from codeintel.trust.names.spelling.distances import plain, scope_of, sound, tokens
from codeintel.trust.names.spelling.edits import spelling_edit
from codeintel.trust.names.tables import own_words
from codeintel.trust.names.typos.corrections import corrections, without_rare_pair
from codeintel.trust.names.typos.words import consists_of_words, vocabulary

_CAPITAL = re.compile("(?<=[a-z])I(?=[a-z])")
_MOST_TOKENS = 8
_SHORTEST_WORD = 4


def word_candidates(name: str) -> Iterator[Candidate]:
    """The spellings of which a name may be a misspelling; none for a name with a scope, whose
    owner may call packages anything."""
    if scope_of(name):
        return
    seen = plain(name)
    for token in dict.fromkeys(tokens(seen)[:_MOST_TOKENS]):
        for each in corrections(token):
            edit, place = spelling_edit(each.part, each.word)
            if edit.kind == EditKind.SEVERAL and sound(each.part) == sound(each.word):
                edit = Edit(EditKind.SOUND, f"`{each.part}` sounds like `{each.word}`")
            target = seen.replace(token, each.corrected, 1)
            yield Candidate(target, 0, edit, each.part, each.word, place)
        yield from _doubled(seen, token)
    yield from _capital(name)
    for rest, affix in stripped(seen):
        if len(rest) >= _SHORTEST_WORD and all(map(consists_of_words, tokens(rest))):
            yield from _joined(seen, rest, affix)


def _doubled(seen: str, token: str) -> Iterator[Candidate]:
    """A letter that is repeated where no word has it so."""
    meant = without_rare_pair(token)
    if meant != token:
        edit, place = spelling_edit(token, meant)
        yield Candidate(seen.replace(token, meant, 1), 0, edit, token, meant, place)


def _capital(name: str) -> Iterator[Candidate]:
    """A capital I among small letters, where an l would make words."""
    meant = _CAPITAL.sub("l", name)
    if meant != name and all(consists_of_words(token) for token in tokens(meant)):
        edit = Edit(EditKind.HOMOGLYPH, "`I` is in the place of `l`, which it looks like")
        yield Candidate(meant.lower(), 0, edit, name.lower(), meant.lower(), name.index("I"))


def _joined(seen: str, rest: str, affix: str) -> Iterator[Candidate]:
    """A word with a usual affix where most names have it otherwise."""
    word = affix.strip("-_./")
    is_first = seen.startswith(affix)
    if is_language(affix) and rest in own_words().technologies:
        edit = Edit(EditKind.AFFIX, f"`{affix}` is added")
        yield Candidate(rest, 0, edit, rest, rest, 0, affix=affix)
    if is_glued(affix):
        target = f"{affix}-{rest}" if is_first else f"{rest}-{affix}"
        if target != seen and seen not in vocabulary() and rest in vocabulary():
            edit = Edit(EditKind.SEPARATORS, f"the separator beside `{word}` is left out")
            yield Candidate(target, 0, edit, rest, rest, 0, affix=affix)
    elif is_language(affix) and not is_first:
        if word in {"js", "ts"}:
            edit = Edit(EditKind.AFFIX, f"`{affix}` is added")
            yield Candidate(rest, 0, edit, rest, rest, 0, affix=affix)
        else:
            edit = Edit(EditKind.WORD_ORDER, f"`{word}` stands after `{rest}`")
            yield Candidate(f"{word}-{rest}", 0, edit, rest, rest, 0, affix=affix)
