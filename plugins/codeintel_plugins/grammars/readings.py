"""Alternative readings of code that does not parse as a whole file: as a part of one, or without
the parts that only a preprocessor understands. All of them keep lines and, after the prefix that
they add, bytes. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Reading(NamedTuple):
    """Text to parse; `before` is how many bytes were put in front of the code."""

    text: bytes
    before: int = 0
    language: str | None = None
    """The language whose grammar reads it, if that is another one."""
    unlikely: bool = False
    """Whether only success tells anything: what it puts around the code need not be there."""


_IN_A_CLASS = (b"class X { ", b"\n}")
_IN_A_METHOD = (b"class X { void x() { ", b"\n}}")
_AS_A_VALUE = (b"class X { void x() { var x = ", b"\n;}}")
_FRAMES: dict[str, tuple[tuple[bytes, bytes], ...]] = {
    "csharp": (_IN_A_CLASS, _IN_A_METHOD, _AS_A_VALUE),
    "java": (_IN_A_CLASS, _IN_A_METHOD, _AS_A_VALUE),
    "kotlin": (_IN_A_CLASS,),
    "scala": ((b"object X { ", b"\n}"),),
    "dart": (_IN_A_CLASS, _IN_A_METHOD),
    "css": ((b"a { ", b"\n}"), (b"@media x { ", b"\n}")),
    "scss": ((b"a { ", b"\n}"),),
    "go": ((b"package x; func x() { ", b"\n}"), (b"package x; ", b"")),
    "rust": ((b"fn x() { ", b"\n}"), (b"impl X { ", b"\n}"), (b"trait X { ", b"\n}")),
    "c": ((b"void x(void) { ", b"\n}"),),
    "cpp": ((b"void x() { ", b"\n}"), (b"class X { ", b"\n};")),
    "objc": ((b"void x() { ", b"\n}"),),
    "swift": ((b"class X { ", b"\n}"), (b"protocol X { ", b"\n}")),
    "solidity": ((b"contract X { ", b"\n}"), (b"contract X { function x() { ", b"\n}}")),
    "graphql": ((b"type X { ", b"\n}"), (b"query { ", b"\n}")),
    "protobuf": ((b'syntax = "proto3"; ', b""), (b"message X { ", b"\n}")),
    "dockerfile": ((b"FROM x\n", b""),),
}
_PREPROCESSED = frozenset({"c", "cpp", "objc", "cuda", "arduino", "glsl", "hlsl"})
_OBJECTIVE_CPP = re.compile(rb"::|^[ \t]*(?:namespace|template|class)\b", re.MULTILINE)
_PHP_TAG = re.compile(rb"<\?(?:php\b|=|\s)", re.IGNORECASE)

# What the grammars do not know yet, or read wrong, and what is read in its place.
_TOO_NEW: dict[str, tuple[re.Pattern[bytes], ...]] = {
    "css": (
        re.compile(rb"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL),
        re.compile(rb"url\([^()\n]*\)|!\s+important|(?<=@page )[\w-]*:[\w-]+"),
        re.compile(rb"@container\b[^{;]*"),
    ),
    "c": (re.compile(rb"(?<=\w )\.\.\.(?= \w)"),),
    "cpp": (
        re.compile(rb"\bQ_(?!SIGNALS|SLOTS)[A-Z]+\b(?:[ \t]*\([^()\n]{0,200}\))?"),
        re.compile(rb"\b(?:slots|Q_SLOTS|signals|Q_SIGNALS)(?=\s*:)"),
    ),
    "csharp": (
        re.compile(rb",?\s*\ballows\s+ref\s+struct\b|\?(?=\.[\w.]+\s*[-+*/%&|^]?=[^=])"),
        re.compile(rb"\bextension(?=\s*(?:<[^<>]*>\s*)?\([^()]*\)\s*\{)"),
    ),
    "java": (re.compile(rb"(?<=import) module(?= )"),),
    "kotlin": (re.compile(rb"\.\.<|\b0[bB][01_]+"),),
    "php": (re.compile(rb"(?<=__halt_compiler\(\);).*", re.DOTALL),),
    "rust": (re.compile(rb"\bsafe\s+(?=fn\b|static\b)|\basync\s+(?=Fn)"),),
    "swift": (re.compile(rb"nonisolated\(unsafe\)|\b(?:sending|consuming|borrowing)\s+(?=\w)"),),
}
# What people write where they leave something out.
_LEFT_OUT = re.compile(rb"(?<![^\s{;])\.\.\.(?![^\s};])")
_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(?P<word>if|ifdef|ifndef|elif|elifdef|elifndef|elseif|else|endif)\b"
    rb"(?P<condition>(?:[^\n\\]|\\\n|\\)*)",
    re.MULTILINE,
)
_NEVER = re.compile(rb"\s*(?:0\s*$|__cplusplus\b|defined\s*\(?\s*__cplusplus\b)")
_MACRO_LINE = re.compile(
    rb"^[ \t]*\w*[A-Z_]{4}\w*[ \t]*(?:\([^;{}\n]{0,300}\))?[ \t]*$", re.MULTILINE
)
_ATTRIBUTE = re.compile(
    rb"\b__\w+[ \t]*\(\([^;{}\n]{0,200}?\)\)"
    rb"|\b__(?!builtin|func|asm|volatile)[A-Za-z]\w*\b(?!\s*\()"
    rb"|(?<=\))[ \t]*[A-Z_][A-Z0-9_]{3,}(?=\s*[;{])"
    rb"|(?<=[\w*] )[A-Z][A-Z0-9_]{3,}(?=[ \t]+\w+[ \t]*\()"
)
_MACRO_WORD = re.compile(
    rb"\b(?!_?[A-Z0-9]+_T\b)[A-Z_][A-Z0-9]*_[A-Z0-9_]*\b(?:[ \t]*\([^()\n]{0,100}\))?"
    rb"(?=[ \t]+[A-Za-z_~])"
)
_MACRO_LOOP = re.compile(
    rb"(?P<before>(?:^|[;{}])[ \t]*)(?!while\b|switch\b|catch\b)(?P<name>[A-Za-z_]\w{4,})"
    rb"(?=[ \t]*\([^;{}()]{0,200}\)\s*\{)",
    re.MULTILINE,
)
_MACRO_FIRST = re.compile(
    rb"^[ \t]*(?:(?:static|extern|inline|const|typedef|virtual)\s+)*"
    rb"[A-Z_][A-Z0-9_]{3,}[ \t]*(?:\(|\\?$)",
    re.MULTILINE,
)


def readings(code: bytes, language: str) -> Iterator[Reading]:
    """Yield the ways to read the code, the most likely one first; none if no grammar supports
    such code."""
    if language == "objc" and _OBJECTIVE_CPP.search(code):
        return
    if language == "php" and not _PHP_TAG.search(code) and not code.lstrip().startswith(b"<"):
        yield Reading(b"<?php " + code, 6)
        yield Reading(b"<?php class X { " + code + b"\n}", 16, unlikely=True)
        return
    texts = [code]
    if language in _PREPROCESSED:
        chosen = _first_branches(code)
        texts += [chosen, _without_macros(chosen)]
        texts.append(_MACRO_LOOP.sub(_loop, texts[-1]))
    elif language in {"csharp", "swift"} and b"#if" in code:
        texts.append(_first_branches(code))
    for pattern in _TOO_NEW.get(language, ()):
        texts.append(pattern.sub(lambda match: _stand_in(match[0]), texts[-1]))
    texts.append(_LEFT_OUT.sub(lambda match: _blank(match[0]), texts[-1]))
    for text in dict.fromkeys(texts):
        yield Reading(text)
    if language == "c":  # headers of C++ have the same name
        yield Reading(texts[-1], language="cpp", unlikely=True)
    for before, behind in _FRAMES.get(language, ()):
        yield Reading(before + texts[-1] + behind, len(before), unlikely=True)


def depends_on_macros(code: bytes, language: str, at: int) -> bool:
    """Return whether the line of a byte, or the one before, begins with preprocessor syntax."""
    if language not in _PREPROCESSED:
        return False
    begin = code.rfind(b"\n", 0, max(0, code.rfind(b"\n", 0, at))) + 1
    end = code.find(b"\n", at)
    return bool(_MACRO_FIRST.search(code[begin : end if end >= 0 else len(code)]))


def _first_branches(code: bytes) -> bytes:
    """Return the code with the first branch of each condition that may hold, and without
    directives."""
    parts: list[bytes] = []
    taken: list[bool] = []
    """For each open condition, whether a branch of it has been taken."""
    using: list[bool] = []
    last = 0
    for match in _DIRECTIVE.finditer(code):
        text = code[last : match.start()]
        parts += [text if all(using) else _blank(text), _blank(match[0])]
        last = match.end()
        word, condition = match["word"], match["condition"]
        if word.startswith(b"if"):
            holds = word == b"ifndef" or not _NEVER.match(condition)
            taken.append(holds)
            using.append(holds)
        elif word == b"endif" and using:
            using.pop()
            taken.pop()
        elif using:
            using[-1] = not taken[-1]
            taken[-1] = True
    rest = code[last:]
    return b"".join([*parts, rest if all(using) else _blank(rest)])


def _without_macros(code: bytes) -> bytes:
    """Return the code without what looks like a macro that stands for no expression."""
    code = _MACRO_LINE.sub(lambda match: _blank(match[0]), code)
    code = _ATTRIBUTE.sub(lambda match: _blank(match[0]), code)
    return _MACRO_WORD.sub(lambda match: _blank(match[0]), code)


def _loop(match: re.Match[bytes]) -> bytes:
    """Replace a macro before a block by a loop, which it mostly is."""
    return match["before"] + b"while".ljust(len(match["name"]))


def _stand_in(text: bytes) -> bytes:
    """Return a replacement of the same length that every grammar can parse."""
    if text == b"..<":
        return b".. "
    if text == b"...":
        return b"+  "
    if text == b"extension":
        return b"record  X"
    if b"signals" in text.lower():
        return b"public".ljust(len(text))
    if text[:1] == b"0":
        return b"1" * len(text)
    if text[:1] in {b'"', b"'"}:
        return text[:1] + re.sub(rb"[^\n]|\n", b"x", text[1:-1]) + text[-1:]
    if text.startswith(b"url("):
        return b"url(" + b"x" * (len(text) - 5) + b")"
    if text.endswith(b"important"):
        return b"!important".ljust(len(text))
    if text.startswith(b"@container"):
        return b"@media x" + _blank(text[8:])
    return _blank(text)


def _blank(text: bytes) -> bytes:
    return re.sub(rb"[^\n]", b" ", text)
