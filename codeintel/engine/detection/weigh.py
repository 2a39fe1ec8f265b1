"""Weigh the possible languages of code.

The first line, tags and comments can name the language. Words, idioms and the shape of lines make
languages likely. The grammars of the likely languages decide which are possible.
"""

from __future__ import annotations

import math
import re
import time
from typing import TYPE_CHECKING, NamedTuple

from codeintel.contracts.languages import canonical_language, is_known
from codeintel.engine.detection.idioms import idiom_scores
from codeintel.engine.detection.sample import Sample, take_sample
from codeintel.engine.detection.shapes import shape_scores
from codeintel.engine.detection.words import word_scores

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


_SURE = 80.0
_SHEBANG = re.compile(r"#! ?(?:[\w/.-]*/)?(?:env (?:-S )?)?([\w.+-]+)")
_HTML = re.compile(
    r"(?:<\?xml[^>]{0,200}>\s*|<!--(?:[^-]|-(?!->)){0,2000}-->\s*)*<(?:!doctype html|html)\b",
    re.IGNORECASE,
)
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+\d+", re.MULTILINE)
# Kinds of comments at line starts, with a weight and the languages that have them.
_COMMENTS = (
    (("slashes", "/*"), 1.5, "javascript typescript java go php c cpp csharp rust kotlin swift"),
    (("slashes", "/*"), 1.5, "scala dart"),
    (("hash",), 1.5, "python ruby bash perl r yaml toml php elixir powershell dockerfile make"),
    (("hash",), 1.5, "cmake"),
    (("dashes",), 3.0, "sql lua haskell"),
)


def certain_scores(sample: Sample) -> dict[str, float]:
    """Return scores by language, in the unit of the words' weights."""
    text = sample.text.lstrip()
    scores: dict[str, float] = {}
    for kinds, weight, languages in _COMMENTS:
        if any(sample.comments[kind] for kind in kinds):
            scores.update(dict.fromkeys(languages.split(), weight))
    for language in _said(sample, text):
        scores[language] = _SURE
    if "<?php" in text or "<?=" in text:
        scores["php"] = 1.5 * _SURE  # regardless of the language around it
    return scores


def _said(sample: Sample, text: str) -> list[str]:
    said = []
    shebang = _SHEBANG.match(text)
    if shebang:
        interpreter = canonical_language(shebang[1].rpartition("/")[2].rstrip("0123456789."))
        if is_known(interpreter):
            said.append(interpreter)
    if _HTML.match(text):
        said.append("html")
    elif text.startswith("<?xml"):
        said.append("xml")
    if sample.is_json:
        said.append("json")
    if _HUNK.search(text):
        said.append("diff")
    return said


_PARSED_CHARACTERS = 2_000
"""The most characters to parse.

Grammars take quadratic time and memory for some texts: at most 0.4 seconds and 200 MB for this
length.
"""
_MOST_PARSED = 5
_WORTH_PARSING = 20.0
"""The distance from the best score within which a language's grammar is tried."""
_BEATEN = 8.0
"""The distance behind a parsed language from which a language is no longer parsed."""
_PARSE_SECONDS = 0.25
_PENALTY = 25.0
"""The penalty for a language whose grammar understands nothing."""
_PENALTIES = {"sql": 8.0}  # many dialects share one grammar
# A bonus before the code is seen, for the most common languages.
_USUAL = {"python": 0.7, "javascript": 0.5, "java": 0.4, "c": 0.3, "cpp": 0.3, "html": 0.3}
_USUAL["typescript"] = -1.0  # without types it is JavaScript
_RARE = -0.7
_RARE_ONES = """
    ada asm awk batch clojure commonlisp crystal d elm erlang fish fortran fsharp groovy haskell
    julia less matlab nim nix objc ocaml pascal prolog racket rst scheme solidity svelte tcl vb
    verilog vhdl vim vue zig
"""
_RARE_SET = frozenset(_RARE_ONES.split())
_UNPARSED = 1.5
"""The penalty for a language whose grammar was not tried or does not exist."""


class Weighed(NamedTuple):
    """A language's score, and the share of the code that its grammar skips, if known."""

    language: str
    score: float
    errors: float | None = None


class Weigher:
    """Holds the grammars."""

    def __init__(self) -> None:
        self._grammars = Grammars()

    def load(self) -> None:
        """Load all grammars."""
        self._grammars.load()

    def weigh(self, code: str) -> list[Weighed]:
        """Return all languages with any evidence, best first."""
        sample = take_sample(code)
        scores = sorted(_scores(sample).items(), key=lambda each: (-each[1], each[0]))
        weighed: list[Weighed] = []
        parsed, leader = 0, -math.inf
        deadline = time.monotonic() + _PARSE_SECONDS
        for language, score in scores:
            is_likely = score > max(scores[0][1] - _WORTH_PARSING, leader - _BEATEN)
            if language in GRAMMARS and is_likely and parsed < _MOST_PARSED:
                parsed += 1
                errors = self._errors(language, sample, deadline)
                score -= _PENALTIES.get(language, _PENALTY) * (0.5 if errors is None else errors)
                leader = max(leader, score)
                weighed.append(Weighed(language, score, errors))
            else:
                weighed.append(Weighed(language, score - _UNPARSED))
        return sorted(weighed, key=lambda each: -each.score)

    def _errors(self, language: str, sample: Sample, deadline: float) -> float | None:
        if time.monotonic() > deadline:
            return None
        return self._grammars.errors(language, sample.bare[:_PARSED_CHARACTERS], deadline)


def _scores(sample: Sample) -> dict[str, float]:
    total: dict[str, float] = {}
    for scores in (
        word_scores(sample.bare),
        idiom_scores(sample.bare),
        shape_scores(sample),
        certain_scores(sample),
    ):
        for language, score in scores.items():
            total[language] = total.get(language, 0.0) + score
    for language in total:
        total[language] += _RARE if language in _RARE_SET else _USUAL.get(language, 0.0)
    return total


GRAMMARS = frozenset(
    {
        *("bash", "c", "cpp", "csharp", "css", "dart", "elixir", "go", "haskell", "java"),
        *("javascript", "kotlin", "lua", "objc", "php", "powershell", "python", "r", "ruby"),
        *("rust", "scala", "scss", "sql", "swift", "toml", "typescript"),
    }
)
"""Languages whose grammars are tried.

The grammar of YAML can crash, and that of Perl can loop forever.
"""
_VARIANTS = ("tsx",)
_MAX_STEPS = 200  # of a few hundred operations each. Real programs take up to about 130


class Grammars:
    """Grammars, loaded on demand."""

    def __init__(self) -> None:
        self._parsers: dict[str, Parser] = {}

    def load(self) -> None:
        """Load all grammars."""
        for name in (*GRAMMARS, *_VARIANTS):
            self._parser(name)

    def _parser(self, name: str) -> Parser:
        if name not in self._parsers:
            from tree_sitter_language_pack import get_parser

            self._parsers[name] = get_parser(name)  # type: ignore[arg-type]
        return self._parsers[name]

    def errors(self, language: str, code: str, deadline: float) -> float | None:
        """Return the share of the code, from 0 to 1, that the language's grammar skips.

        Return None if parsing takes too many steps or passes the deadline, a `time.monotonic()`
        value.
        """
        if language == "php" and "<?" not in code:
            code = f"<?php\n{code}"
        if language == "typescript" and ("</" in code or "/>" in code):
            language = "tsx"
        data = code.encode(errors="replace")
        root = _parse(self._parser(language), data, deadline)
        if root is None:
            return None
        return min(1.0, _skipped(root) / (len(data.replace(b" ", b"")) or 1))


def _parse(parser: Parser, data: bytes, deadline: float) -> Node | None:
    steps = 0

    def enough(*_: object) -> bool:
        nonlocal steps
        steps += 1
        return steps > _MAX_STEPS or time.monotonic() > deadline

    try:
        tree = parser.parse(lambda offset, _: data[offset:], progress_callback=enough)
    except ValueError:  # the callback stopped the parser
        parser.reset()
        return None
    return tree.root_node


def _skipped(root: Node) -> int:
    """Return the number of bytes within errors, without complete phrases that were understood.

    If the end of a class is cut off, its methods do not count as errors.
    """
    skipped = 0
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_missing:
            skipped += 1
        elif node.is_error and node.child_count == 0:
            skipped += node.end_byte - node.start_byte
        for child in node.children:
            if child.has_error:
                stack.append(child)
            elif node.is_error and child.child_count == 0:
                skipped += child.end_byte - child.start_byte
    return skipped
