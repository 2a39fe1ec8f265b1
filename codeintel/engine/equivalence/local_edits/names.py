"""Names of variables that a changed place declares for what stood there or elsewhere."""

from __future__ import annotations

from collections.abc import Sequence, Set

from codeintel.engine.equivalence.local_edits.tokens import Token

_LANGUAGES = frozenset({"javascript", "typescript"})
_DECLARING = frozenset({b"const", b"let", b","})
_GIVING = frozenset({b"=", b"of"})
_DOTS = frozenset({b".", b"?."})


def declared_anew(
    places: Sequence[Sequence[Token]], code: Sequence[Token], language: str
) -> frozenset[bytes]:
    """Names that new tokens declare and that no variable of the old code has: what they stand for
    has to be there already, so nothing comes in by them."""
    if language not in _LANGUAGES:
        return frozenset()
    found = {
        name.text
        for tokens in places
        for word, name, sign in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if word.text in _DECLARING
        and sign.text in _GIVING
        and name.text.decode(errors="replace").isidentifier()
    }
    return frozenset(found) - {each.text for each in _variables(code)} if found else frozenset()


def without(tokens: Sequence[Token], names: Set[bytes]) -> list[Token]:
    """The tokens but for variables with these names; properties that are called so stay."""
    of_variables = {id(each) for each in _variables(tokens) if each.text in names}
    return [each for each in tokens if id(each) not in of_variables]


def _variables(tokens: Sequence[Token]) -> list[Token]:
    """All tokens that are no properties behind a dot."""
    return [
        each
        for position, each in enumerate(tokens)
        if not each.is_text and (position == 0 or tokens[position - 1].text not in _DOTS)
    ]
