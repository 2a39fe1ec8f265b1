"""Infer which kind of value a place holds, from the operations of the code on it.

A *path* names a place: a parameter, a property, an element, or the answer of a callback. A kind is
`"number"`, `"string"`, `"boolean"`, `"function"`, `"date"`, `"regexp"`, `"any"`,
`["array", kind]`, `["object", {key: kind}]`, `["record", kind]`, `["map", kind]`, `["set", kind]`,
`["promise", kind]`, `["tuple", [kind, ...]]`, `["either", [kind, ...]]`, `["likely", [kind, ...]]`,
`["value", constant]`, `["function", kind]` with the kind of the answer, or `["new", class]`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

Kind = Any
Path = tuple[str, ...]
ELEMENT, VALUE, ANSWER, THIS = "[]", "{}", "()", "this"
STRING = frozenset(
    re.findall(
        r"\w+",
        """charAt charCodeAt codePointAt endsWith localeCompare match matchAll normalize padEnd
        padStart repeat replace replaceAll search split startsWith substr substring toLowerCase
        toUpperCase trim trimEnd trimStart""",
    )
)
ARRAY = frozenset(
    re.findall(
        r"\w+",
        """copyWithin every fill filter find findIndex findLast findLastIndex flat flatMap forEach
        join map pop push reduce reduceRight reverse shift some sort splice toReversed toSorted
        toSpliced unshift""",
    )
)
EITHER = frozenset(("slice", "indexOf", "lastIndexOf", "includes", "concat", "at", "length"))
KEYED = frozenset(("get", "has", "set", "delete", "clear", "add", "size"))
_DATE = re.compile(
    r"[gs]et(?:UTC)?(?:Time|Date|Day|Month|FullYear|Hours|Minutes|Seconds)|toISOString"
)
_NAMES: tuple[tuple[str, Kind], ...] = (
    (r"(?:is|has|should)[A-Z]\w*|flag|enabled|strict|active|deep", "boolean"),
    (r"on[A-Z]\w*|fn|func|callback|cb|predicate|handler|compare\w*|visit|action|load\w*",
     "function"),
    (r"now|date|when", ["either", ["number", "date"]]),
    (r"n|i|j|k|\w*(?:[cC]ount|[sS]ize|[lL]imit|[iI]ndex|[mM]ax|[mM]in|[wW]idth|[hH]eight|"
     r"[tT]otal|[aA]mount|[pP]age|[nN]umber|[tT]imes|[rR]ate|[sS]tart|[eE]nd|[aA]ge)", "number"),
    (r"s|str|\w*(?:[tT]ext|[nN]ame|[kK]ey|[wW]ord|[lL]ine|[tT]itle|[lL]abel|[pP]ath|[uU]rl|"
     r"[sS]tring|[iI]nput|[cC]ode|[pP]refix|[tT]ag|[eE]mail)", "string"),
    (r"\w*(?:[lL]ist|[aA]rray|[iI]tems|[rR]ows|[vV]alues|[wW]ords|[nN]umbers|[eE]ntries|xs|[nN]ames|"
     r"[rR]ecords|[lL]ines|[kK]eys|[tT]ags|[uU]sers|[iI]ds)|arr", ["array", "any"]),
)  # fmt: skip
PRIMITIVE = ["either", ["number", "string"]]
_MAX_DEPTH = 6


class Facts:
    """The facts about the places that code reads.

    :ivar facts: what is done with a value, such as `iterated`, `number` or `.slice`.
    :ivar constants: the constants that it is compared with.
    :ivar merged: kinds that are known from elsewhere.
    :ivar variables: the places that variables stand for.
    """

    def __init__(self) -> None:
        self.facts: dict[Path, set[str]] = defaultdict(set)
        self.constants: dict[Path, list[Any]] = defaultdict(list)
        self.merged: dict[Path, list[Kind]] = defaultdict(list)
        self.variables: dict[str, Path] = {}

    def copy(self, kept: Path, path: Path) -> None:
        """Copy the facts about a place to another that holds the same value."""
        for store in (self.facts, self.constants, self.merged):
            for other, known in list(store.items()):
                if other[: len(kept)] == kept:
                    mine = store[(*path, *other[len(kept) :])]
                    mine.update(known) if isinstance(mine, set) else mine.extend(known)

    def kind(self, path: Path, name: str, depth: int = 0) -> Kind:
        """Return the kind of the value at a path."""
        kind = self._bare_kind(path, name, depth)
        constants = self.constants.get(path)
        if constants:
            rest = kind if kind != "any" else PRIMITIVE
            kind = ["either", [*(["value", each] for each in constants[:6]), rest]]
        if "await" in self.facts.get(path, ()) and kind != "any":
            kind = ["either", [kind, ["promise", kind]]]
        return kind

    def _bare_kind(self, path: Path, name: str, depth: int) -> Kind:
        facts = self.facts.get(path, set())
        parts = {
            other[len(path)]
            for other in self.facts
            if len(other) > len(path) and other[: len(path)] == path
        }
        methods = {each[1:] for each in facts if each[0] == "."}
        if depth > _MAX_DEPTH:
            return "any"
        if "called" in facts or ANSWER in parts:
            answer = self.kind((*path, ANSWER), "", depth + 1) if ANSWER in parts else "any"
            return "function" if answer == "any" else ["function", answer]
        found = self._of_methods(path, name, methods, parts, facts, depth)
        if found is not None:
            return found
        merged = self.merged.get(path, [])
        if "number" in facts:
            return "number"
        if "string" in facts or "text" in facts:
            return "string" if "string" in facts else PRIMITIVE
        if merged:
            return merged[0] if len(merged) == 1 else ["either", merged[:4]]
        guess = _named(name)
        if "ordered" in facts:
            return ["likely", ["number", "string"]] if guess == "number" else PRIMITIVE
        return ["likely", [guess, "any"]] if guess is not None else "any"

    def _of_methods(
        self, path: Path, name: str, methods: set[str], parts: set[str], facts: set[str], depth: int
    ) -> Kind | None:
        """Return the kind that methods and properties show, or None."""

        def element() -> Kind:
            return self.kind((*path, ELEMENT), self._singular(path), depth + 1)

        if methods & STRING:
            return "string"
        if methods & ARRAY or facts & {"iterated", "tuple"}:
            if "tuple" in facts and not methods & ARRAY:
                return ["array", element()]
            return ["array", element()]
        if any(_DATE.fullmatch(each) for each in methods):
            return "date"
        if methods & {"then", "catch", "finally"}:
            return ["promise", "any"]
        if methods & KEYED and not parts - methods - {"size"}:
            return (
                ["either", [["map", "any"], ["set", "any"]]] if "has" in methods else ["map", "any"]
            )
        if "record" in facts or "keyed" in facts:
            return ["record", self.kind((*path, VALUE), "", depth + 1)]
        own = (parts | methods) - {
            ELEMENT,
            VALUE,
            ANSWER,
            *EITHER,
            "toString",
            "valueOf",
            "hasOwnProperty",
        }
        if own:
            return [
                "object",
                {key: self._property(path, key, methods, depth) for key in sorted(own)},
            ]
        if "spread" in facts:
            return ["record", "any"]
        if "indexed" in facts or parts & {"length"} or methods & EITHER:
            if self._holds_characters((*path, ELEMENT)):
                return "string"
            if _named(name) == "string" and not parts & {ELEMENT}:
                return "string"
            rest = element()
            is_plain = rest in ("any", "string") and not facts & {"iterated"}
            return ["likely", [["array", rest], "string"]] if is_plain else ["array", rest]
        return ["object", {}] if "object" in facts else None

    def _holds_characters(self, path: Path) -> bool:
        """Return whether elements are compared with single characters."""
        constants = self.constants.get(path, [])
        return bool(constants) and all(isinstance(e, str) and len(e) == 1 for e in constants)

    def _property(self, path: Path, key: str, methods: set[str], depth: int) -> Kind:
        if key in methods and (*path, key, ANSWER) not in self.facts:
            return "function"
        return self.kind((*path, key), key, depth + 1)

    def _singular(self, path: Path) -> str:
        """Return the name of a variable that holds an element."""
        wanted = (*path, ELEMENT)
        return next((name for name, where in self.variables.items() if where == wanted), "")


def _named(name: str) -> Kind | None:
    return next((kind for pattern, kind in _NAMES if re.fullmatch(pattern, name)), None)
