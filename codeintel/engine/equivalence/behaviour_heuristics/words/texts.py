"""Whether the texts are the same, however they are put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeintel.engine.equivalence.behaviour_heuristics.words.reading import Template, Vocabulary

_MAY_VANISH = frozenset({"r", "rt", "utf-8", "utf8", "use strict", "UTF-8", "ascii"})
_MAY_APPEAR = frozenset({"__main__", "use strict"})


def changed_texts(before: Vocabulary, after: Vocabulary) -> Iterator[str]:
    """Yield a sentence for each kind of fault. Texts that are in both are the same. Of the others
    the words must be: one text may have become several, or several one."""
    gone = [each for each in before.texts if each not in after.texts]
    new = [each for each in after.texts if each not in before.texts]
    gone = [each for each in gone if not _may(each, _MAY_VANISH, before, after)]
    new = [each for each in new if not _may(each, _MAY_APPEAR, after, before)]
    missing, added = _words(gone) - _words(new), _words(new) - _words(gone)
    if gone and new and len(gone) == len(new) and not (missing or added):
        if sorted(map(_joined, gone)) != sorted(map(_joined, new)):
            yield f"The words of a text are in another order{_line(after, new)}."
        return
    # A part of a text that is still there may have been taken out of it, or repeated.
    if not (missing <= _words(after.texts) and (new or _are_parts(gone, after))):
        yield f"Text of the original is missing{_line(before, gone)}."
    if not (added <= _words(before.texts) and (gone or _are_parts(new, before))):
        yield f"Text is new in the result{_line(after, new)}."


def _may(text: Template, known: frozenset[str], one: Vocabulary, other: Vocabulary) -> bool:
    """Whether a text makes no difference, or is a name on the other side, one time more."""
    whole = "".join(text)
    is_name = len(text) == 1 and whole.isidentifier()
    return whole in known or (is_name and other.words[whole] > one.words[whole])


def _are_parts(texts: Iterable[Template], of: Vocabulary) -> bool:
    """Whether each of some texts is a part of one that is there, or several that are there."""
    wholes = {"".join(each) for each in of.texts}
    return all(
        any(text in whole for whole in wholes) or wholes.issuperset(text.split())
        for text in map("".join, texts)
    )


def _joined(text: Template) -> str:
    """The text with no regard to where values are put into it."""
    return "".join(text)


def _words(texts: Iterable[Template]) -> set[str]:
    return {token for text in texts for token in text if not token.isspace()}


def _line(where: Vocabulary, texts: Iterable[Template]) -> str:
    lines = [where.texts[each] for each in texts]
    return f" (line {min(lines)})" if lines else ""
