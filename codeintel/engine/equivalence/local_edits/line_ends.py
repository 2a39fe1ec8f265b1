"""Find line ends that end a statement, but that a grammar reads as a space.

JavaScript and Go insert semicolons at some line ends. A line end within a comment counts, and in
JavaScript so do a carriage return and two characters of Unicode. The grammars do not know all of
these rules, so trees of such code may be wrong.
"""

from __future__ import annotations

import itertools
import re

from codeintel.engine.equivalence.local_edits.runs import Token, tokens_of

UNCERTAIN = "A line end may end a statement where the grammar reads a space."
_SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_LINE_END = re.compile(b"\n|\r|\xe2\x80[\xa8\xa9]")
_FUNCTIONS = frozenset(
    {
        *("arrow_function", "function_declaration", "function_expression", "method_definition"),
        *("generator_function", "generator_function_declaration"),
    }
)
_MEMBERS = frozenset(
    {
        *("class_body", "field_definition", "method_definition", "public_field_definition"),
        *("abstract_method_signature", "method_signature"),
    }
)
_TYPES = frozenset(
    {
        *("abstract_class_declaration", "ambient_declaration", "interface_declaration"),
        *("internal_module", "module", "type_alias_declaration"),
    }
)
_MODIFIERS = (
    b"abstract accessor async declare get override private protected public readonly set static"
)
_AFTER: dict[bytes, frozenset[str]] = {
    **dict.fromkeys(b"abstract declare global interface module namespace type".split(), _TYPES),
    **dict.fromkeys(_MODIFIERS.split(), _MEMBERS),
    b"abstract": _MEMBERS | _TYPES,
    b"async": _MEMBERS | _FUNCTIONS,
    b"break": frozenset({"break_statement"}),
    b"continue": frozenset({"continue_statement"}),
    b"declare": _MEMBERS | _TYPES,
    b"return": frozenset({"return_statement"}),
    b"throw": frozenset({"throw_statement"}),
    b"yield": frozenset({"yield_expression"}),
}
"""Words after which a line end may end a statement or member, with the constructs that would then
join two of them."""
_BEFORE = {
    b"!": "non_null_expression",
    b"++": "update_expression",
    b"--": "update_expression",
    b"=>": "arrow_function",
    b"as": "as_expression",
    b"satisfies": "satisfies_expression",
}
"""Tokens that may not follow a line end within a construct."""
_ENDING = re.compile(rb"(?:[\w\"'`)\]}\x80-\xff]|\+\+|--)$")
"""The end of a token after which Go inserts a semicolon at a line end."""
_GO_WORDS = frozenset({b"break", b"continue", b"fallthrough", b"return"})
_GO_JOINING = frozenset(
    b"case chan const default defer else for func go goto if import interface map package range"
    b" select struct switch type var".split()
)


def are_uncertain(code: str | bytes, language: str) -> bool:
    """Return whether the grammar of a language may read a line end in the code wrongly."""
    data = code.encode(errors="surrogatepass") if isinstance(code, str) else code
    if language not in _SCRIPTS and language != "go":
        return False
    is_go = language == "go"
    tokens = [each for each in tokens_of(data, language)[0] if not _is_space(each)]
    return any(
        _is_hidden(between) and _ends(one.text)
        if is_go
        else _LINE_END.search(between) is not None and _joins(one, two)
        for one, two in itertools.pairwise(tokens)
        if (between := data[one.end : two.start])
    )


def _is_space(token: Token) -> bool:
    return not token.is_text and not token.text.decode(errors="replace").strip()


def _joins(one: Token, two: Token) -> bool:
    return two.joint in _AFTER.get(one.text, ()) or _BEFORE.get(two.text) == two.joint


_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)


def _is_hidden(between: bytes) -> bool:
    """Return whether all line ends between two tokens are in comments."""
    return b"\n" in between and b"\n" not in _COMMENT.sub(b"", between)


def _ends(word: bytes) -> bool:
    return word in _GO_WORDS or (word not in _GO_JOINING and _ENDING.search(word) is not None)
