"""Which grammar reads which language, and how far its word on errors goes."""

from __future__ import annotations

from typing import NamedTuple

from codeintel.contracts import Confidence, Severity


class Trust(NamedTuple):
    """The grade of a syntax error that a grammar reports."""

    severity: Severity
    confidence: Confidence


# Measured: of a hundred files that compile, these take a hundred, or all but one or two.
EXACT = Trust(Severity.CRITICAL, Confidence.HIGH)
# They know the language, apart from a corner of it that real programs do use.
CLOSE = Trust(Severity.MEDIUM, Confidence.LOW)
# What they call an error is one by the letter only, and programs take it all the same.
LENIENT = Trust(Severity.LOW, Confidence.MEDIUM)

_EXACT = (
    "cmake csharp erlang fortran go graphql java json lua php powershell protobuf ruby rust"
    " toml xml yaml"
)
_CLOSE = (
    "ada apex arduino bicep c cairo clojure commonlisp cpp css cuda dart dockerfile elisp elixir"
    " elm fennel fish fsharp gdscript gleam glsl gomod hack hare haskell haxe hlsl janet"
    " jsonnet julia kdl kotlin matlab meson nim ninja nix objc ocaml odin pascal perl prisma"
    " puppet purescript qmljs r racket rego ron scala scheme scss smithy solidity sparql"
    " squirrel starlark svelte swift terraform thrift typst verilog vhdl vue wat wgsl zig"
)
_LENIENT = "html"

_SURE_OF_BRACKETS = (
    "apex arduino c cpp css cuda dart dockerfile glsl hack haxe hlsl kotlin objc odin prisma scala"
    " scss smithy solidity swift terraform thrift verilog wgsl zig"
)
SURE_OF_BRACKETS = frozenset(_SURE_OF_BRACKETS.split())
"""Of those that are merely close, where a bracket without its other half is one for sure."""

# The grammars' names, where they are not ours.
_GRAMMARS = {
    "protobuf": "proto",
    "terraform": "hcl",
}
# Languages whose errors somebody else reports, and grammars that take too much for an error or that
# nobody writes by itself: none of them stands in a list above.

TRUST: dict[str, Trust] = {
    **dict.fromkeys(_EXACT.split(), EXACT),
    **dict.fromkeys(_CLOSE.split(), CLOSE),
    **dict.fromkeys(_LENIENT.split(), LENIENT),
}
"""What is read, by canonical name."""


def grammar_of(language: str) -> str:
    """The name of the grammar that reads a language of :data:`TRUST`."""
    return _GRAMMARS.get(language, language)
