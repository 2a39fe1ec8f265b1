"""The names of what the detector tells apart."""

from __future__ import annotations

NO_CODE = "text"
"""What sentences of a natural language are."""
LANGUAGES = """
    ada asm awk bash batch c clojure cmake commonlisp cpp crystal csharp css d dart diff
    dockerfile elixir elm erlang fish fortran fsharp go graphql groovy haskell html ini java
    javascript json julia kotlin latex less lua make markdown matlab nim nix objc ocaml pascal
    perl php powershell prolog properties protobuf python r racket rst ruby rust scala scheme
    scss solidity sql svelte swift tcl terraform toml typescript vb verilog vhdl vim vue xml
    yaml zig
"""
