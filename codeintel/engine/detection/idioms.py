"""Score idioms of languages, such as how a function begins or a line ends.

Tables of (needle, pattern, weights). Every match of a pattern contains its needle, so most patterns
need not be tried. In a pattern, ^ is the first word of a line. Weights are words separated by
spaces: a language and a number each. All patterns take linear time, because repetitions are bounded
or can match in one way only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import NamedTuple

from codeintel.engine.detection.idioms_scripts import SCRIPTS
from codeintel.engine.detection.idioms_statements import STATEMENTS

_LOUDEST = 3.0
_LINE_START = re.compile(r"(?:^|(?<=\|))\^")


class Idiom(NamedTuple):
    """A match of `pattern` is evidence for languages, with weights by name."""

    needle: str
    pattern: re.Pattern[str]
    weights: dict[str, float]


def _idioms(rows: Iterable[tuple[str, str, str]]) -> Iterable[Idiom]:
    for needle, pattern, weights in rows:
        words = weights.split()
        yield Idiom(
            needle,
            re.compile(_LINE_START.sub(lambda _: r"^[ \t]*", pattern), re.MULTILINE),
            dict(zip(words[::2], map(float, words[1::2]), strict=True)),
        )


_DEFINITIONS = (
    # Declarations of modules, and imports.
    ("import ", r"^import [\w.]{1,80};$", "java 4 d 1"),
    ("import ", r"^import static [\w.*]{1,80};", "java 5"),
    ("import ", r"^import [\w.]{1,80}\.\*;", "java 4"),
    (
        "import ",
        r"^import [a-z_]\w{0,40}(?: as \w+)?(?:, ?[a-z_]\w{0,40}(?: as \w+)?){0,9}$",
        "python 4 nim 1",
    ),
    (
        "import ",
        r"^import [a-z_]\w{0,40}(?:\.[a-z_]\w{0,40}){1,4}(?: as \w+)?$",
        "python 1.5 kotlin 1 scala 1 groovy 0.5",
    ),
    ("import ", r"^import [A-Z]\w{1,40}$", "swift 4 haskell 1 elixir 0.5"),
    ("import ", r"^import [a-z]\w{0,20}(?:\.\w{1,40}){2,7}$", "kotlin 3 scala 3 groovy 2"),
    ("._", r"^import [\w.]{1,80}\._$", "scala 5"),
    ("import ", r"^import [\w.]{1,80}\.\{[^}\n]{0,200}\}", "scala 5 rust -2"),
    ("import (", r"^import \($", "go 6"),
    ("import ", r"^import (?:[_.]|\w+)? ?\"\"$", "go 3"),
    (
        "import ",
        r"^import (?:''|\"\");?(?: as \w+| show [\w, ]+)?;$",
        "dart 3 javascript 1 typescript 1",
    ),
    (
        "import ",
        r"^import (?:type )?(?:[\w$*]{1,40}(?: as \w+)?(?:, ?)?)?(?:\{[^}]{0,300}\})? ?from"
        r" ?(?:''|\"\")",
        "javascript 4 typescript 4",
    ),
    ("import type", r"^import type ", "typescript 4"),
    (
        "require(",
        r"^(?:const|var|let) [\w{}, $:]{1,80} = require\((?:''|\"\")\)",
        "javascript 6 typescript 1",
    ),
    ("from ", r"^from [\w.]{1,80} import [\w*(]", "python 6"),
    ("package ", r"^package [\w.]{1,80};$", "java 4 perl 2"),
    ("package ", r"^package [a-z]\w{0,40}$", "go 4 kotlin 1 scala 1"),
    ("package ", r"^package [a-z]\w{0,40}(?:\.\w{1,40}){1,7}$", "kotlin 4 scala 4 groovy 2"),
    ("using ", r"^(?:global )?using (?:static )?[A-Z]\w{0,40}(?:\.\w{1,40}){0,6};$", "csharp 6"),
    ("using ", r"^using (?:\(|var )", "csharp 3"),
    ("using ", r"^using \w+ = ", "cpp 2 csharp 2"),
    ("using namespace", r"^using namespace \w+(?:::\w+)*;", "cpp 6"),
    ("namespace ", r"^namespace [A-Z]\w{0,40}(?:\.\w{1,40}){0,6}(?: ?[;{])?$", "csharp 4 php 1"),
    ("namespace ", r"^namespace [A-Z]\w{0,40}(?:\\\w{1,40}){1,6};$", "php 6"),
    (
        "namespace ",
        r"^(?:inline )?namespace (?:[a-z]\w{0,40})?(?:::\w+){0,4} ?\{?$",
        "cpp 4 typescript 0.5",
    ),
    ("use ", r"^use [A-Z]\w{0,40}(?:\\\w{1,40}){1,6}", "php 6"),
    ("use ", r"^(?:pub )?use (?:\w{1,40}::){1,6}", "rust 6"),
    (
        "use ",
        r"^use (?:strict|warnings|utf8|v?5[\d.]+|lib|parent|base|constant|feature"
        r"|Data::Dumper|[A-Z]\w+(?:::\w+){1,4})\b[^;\n]{0,80};$",
        "perl 5",
    ),
    ("mod ", r"^(?:pub )?mod \w+(?:;| \{)$", "rust 4"),
    ("require", r"^require(?:_relative)? (?:''|\"\")$", "ruby 5 lua 0.5"),
    ("require", r"^local \w+ = require\b", "lua 6"),
    ("", r"^(?:require|include)(?:_once)?[ (](?:__DIR__|''|\"\"|dirname)", "php 3"),
    ("open ", r"^open [A-Z]\w+(?:\.\w+)*$", "fsharp 2 ocaml 3"),
    ("alias ", r"^alias [A-Z]\w+(?:\.[A-Z{]\w*)*", "elixir 4"),
    ("library(", r"^(?:library|suppressPackageStartupMessages)\(", "r 6"),
    ("#include", r"^\# ?include ?<[\w/]+\.h>", "c 4 cpp 1.5 objc 1"),
    ("#include", r"^\# ?include ?<[\w/]+>", "cpp 6"),
    ("#include", r"^\# ?include ?\"\"", "c 2 cpp 2 objc 1"),
    (
        "#",
        r"^\# ?(?:define|ifdef|ifndef|undef|pragma|endif|elif|if defined)\b",
        "c 2 cpp 1.5 csharp 0.5 objc 1",
    ),
    ("#import", r"^\#import ", "objc 5"),
    # Beginnings of functions.
    ("def ", r"^(?:async )?def \w+\([^\n]{0,200}\)(?: ?-> ?[^:\n]{1,100})?:$", "python 5"),
    ("def ", r"^(?:async )?def \w+\($", "python 2 scala 1"),
    ("def ", r"^def (?:self\.)?\w+[?!=]?(?:\([^\n:]{0,150}\))?$", "ruby 4 crystal 1"),
    ("def ", r"^(?:\w+ ){0,2}def \w+(?:\[[^\]\n]{1,60}\])?[^\n={]{0,200} = ?", "scala 5"),
    ("def ", r"^defp? \w+[?!]?(?:\([^\n]{0,150}\))?(?: when [^\n]{1,100})?,? do\b", "elixir 5"),
    (
        "fn ",
        r"^(?:pub(?:\(\w+\))? )?(?:async )?(?:const )?(?:unsafe )?fn \w+(?:<[^\n(]{0,100}>)?\(",
        "rust 4 zig 1",
    ),
    ("fn ", r"\bfn \w+[^\n]{0,200}\) -> [^\n]{1,80}\{$", "rust 4"),
    ("fn ", r"^(?:pub |export )?fn \w+\([^\n]{0,200}\) !?[\w.*\[\]!?]{1,40} \{$", "zig 5"),
    ("|", r"\|(?:&|mut )?\w+(?:, ?\w+){0,3}\| ?[\w{(*]", "rust 1.5 ruby 0.5"),
    ("|", r"(?:do|\{) ?\|[\w, *&()]{1,60}\|", "ruby 5"),
    (
        "func ",
        r"^func (?:\(\w+ \*?\w+(?:\[[^\]\n]{1,40}\])?\) )?\w+(?:\[[^\]\n]{1,60}\])?\("
        r"[^\n]{0,200}\)(?: [\w*.\[\]{}]{1,60}| \([^\n)]{1,100}\))? \{$",
        "go 5 swift 0.5",
    ),
    ("func (", r"^func \(\w+ \*?\w+", "go 5"),
    (
        "func ",
        r"\bfunc \w+(?:<[^\n(]{0,80}>)?\((?:_ |\w+ )?(?:\w+: ?[^\n)]{1,120})?\)(?: async)?(?:"
        r" throws)?(?: -> [^\n{]{1,80})? \{",
        "swift 5",
    ),
    ("func ", r"\bfunc \w+\(\w+ \w+: ", "swift 4"),
    ("-> ", r"\) (?:throws )?-> [A-Z\[(][^\n]{0,60}\{", "swift 2 rust 1"),
    (
        "fun ",
        r"\bfun (?:<[^\n>]{1,60}> ?)?(?:\w+(?:<[^\n>]{0,40}>)?\.)?\w+\([^\n]{0,200}\)(?: ?:"
        r" ?[\w<>?., ]{1,60})? ?[{=]",
        "kotlin 5",
    ),
    ("fun ", r"\bfun (?:\w+\.)?\w+\(", "kotlin 2"),
    ("func", r"\bfunc\([^\n)]{0,100}\)[^\n{]{0,60}\{", "go 3"),
    (
        "function ",
        r"\bfunction \w+\([^\n)]{0,200}\) ?\{",
        "javascript 2.5 typescript 1 php 1.5 bash 0.3",
    ),
    ("function ", r"\bfunction &?\w+\((?:[^\n)]{0,60}[ (&])?\$\w", "php 5 powershell 0.5"),
    (
        "function",
        r"\bfunction ?\(\) ?(?:use ?\([^)\n]{1,80}\) ?)?\{",
        "javascript 2 php 1 typescript 0.7 r 0.3",
    ),
    ("function", r"\bfunction ?\([^\n)]{0,100}\) ?\{", "javascript 2 php 0.5 typescript 0.5 r 1.5"),
    (
        "function",
        r"^(?:local )?function [\w.:]{1,60}\([^\n)]{0,150}\)$",
        "lua 4 php 0.3 matlab 1 julia 2 javascript 0.2",
    ),
    ("local ", r"^local (?:function )?\w+(?:, ?\w+){0,4}(?: ?= |\()", "lua 5"),
    ("local ", r"^local \w+=", "bash 4 lua 1"),
    (
        "function ",
        r"^function [\w-]{1,50} ?(?:\(\) ?)?\{$",
        "bash 4 php 0.3 javascript 0.3 powershell 0.3",
    ),
    ("function", r"(?:<-|=) function\(", "r 6 lua 2 javascript 0.5"),
    (
        "=>",
        r"(?:\([^()\n]{0,120}\)|\b\w{1,40}) => ",
        "javascript 2 typescript 2 csharp 1 scala 1 dart 1 php 0.3",
    ),
    (
        "=>",
        r"\basync \([^()\n]{0,120}\) => |\basync \w+ => ",
        "javascript 2 typescript 1.5 csharp 0.5",
    ),
    ("sub ", r"^sub \w+(?: ?\([^)\n]{0,30}\))? \{", "perl 6"),
    ("proc ", r"^proc \w+ \{", "tcl 5"),
    (
        "(",
        r"^(?:(?:public|private|protected|static|final|abstract|synchronized) ){1,4}"
        r"(?:<[^\n>]{1,40}> )?[\w<>\[\], ?.]{1,60} \w+\([^\n]{0,200}\)(?: throws"
        r" [\w, .]{1,100})? ?[{;]$",
        "java 2.5 csharp 1",
    ),
    (
        "",
        r"^(?:public|private|protected|internal) (?:(?:static|virtual|override|async|abstract"
        r"|sealed) ){0,3}[\w<>\[\], ?.]{1,60} \w+(?:<[\w, ]{1,30}>)?\([^\n]{0,200}\)$",
        "csharp 3 java 0.3",
    ),
    ("throws ", r"\) throws [A-Z]\w+", "java 4"),
    ("static void main", r"public static void main\(String", "java 6"),
    ("static ", r"static (?:async )?(?:void|int|Task(?:<int>)?) Main\(", "csharp 6"),
    ("main", r"^(?:int|void) main ?\((?:void|int argc[^\n)]{0,60})?\)", "c 3 cpp 2"),
    ("fun main", r"^fun main\(", "kotlin 5"),
    ("func main()", r"^func main\(\) \{$", "go 5"),
    ("fn main()", r"^(?:pub )?fn main\(\)", "rust 4 zig 1"),
    ("void main(", r"^void main\((?:List<String> \w+)?\) ?(?:async )?\{", "dart 5 java 1"),
    (
        "",
        r"^(?:static |extern |inline |const |unsigned )*(?:int|void|char|double|float|long"
        r"|size_t|bool|uint\d+_t|int\d+_t|struct \w+) ?\*{0,2} ?\w+\((?:void|[\w ]+[ *]\w+"
        r"(?:\[\])?(?:, ?[^\n)]{1,150})?)?\)(?: const)?(?: \{|;)?$",
        "c 3 cpp 1.8 java 0.3 csharp 0.3 dart 0.3",
    ),
    ("() {", r"^[\w-]{1,50} ?\(\) ?\{$", "bash 2 javascript 0.5"),
    # Beginnings of classes, structures and other types.
    ("class ", r"^class \w+(?:\([^\n)]{0,100}\))?:$", "python 6"),
    (
        "class ",
        r"^class (?:\w+::)*[A-Z]\w*(?: < [\w:]{1,60}(?:\.\w+)?(?:\[[^\n]{1,20}\])?)?$",
        "ruby 4 php 0.5 csharp 1 cpp 0.5",
    ),
    ("class << self", r"^class << self", "ruby 6"),
    (
        "class ",
        r"\bclass \w+(?: extends [\w.]{1,60})? \{",
        "javascript 1 typescript 1 java 0.5 php 0.5 dart 0.5 cpp 0.5 scala 0.5 swift 0.5 "
        "kotlin 0.3",
    ),
    (
        "class ",
        r"^(?:abstract |final )?class \w+[^\n]{0,60} implements ",
        "java 1 php 1 typescript 1 dart 0.5",
    ),
    ("class ", r"\bclass \w+(?:<[^\n>]{1,60}>)? ?: ?(?:public|private|protected) \w", "cpp 5"),
    (
        ": ",
        r"\b(?:class|struct|record|interface) \w+(?:<[\w, ]{1,30}>)? ?: ?[A-Z]\w*"
        r"(?:<[^\n]{1,40}>)?(?:, ?[A-Z][\w<>]*){0,4}(?: where [^\n]{1,60})?(?:$| ?\{)",
        "csharp 2 swift 2 kotlin 1",
    ),
    (
        "class ",
        r"\b(?:data|sealed|enum|open|inner|abstract|annotation|value) class \w+",
        "kotlin 4",
    ),
    (
        "class ",
        r"\bclass \w+(?:<[^\n>]{1,40}>)? ?\((?:(?:private |override |protected |internal"
        r" )?va[lr] )",
        "kotlin 4 scala 2",
    ),
    ("class ", r"\bclass \w+\([^\n]{0,150}\) ?: ?\w+(?:<[^\n]{1,30}>)?(?:\(|,| \{|$)", "kotlin 4"),
    ("class ", r"\bcase (?:class|object) \w+", "scala 6"),
    (
        "object ",
        r"^(?:private )?(?:companion )?object \w*(?: ?: ?\w+[^\n]{0,40})? ?\{$",
        "kotlin 2 scala 2",
    ),
    ("companion object", r"\bcompanion object\b", "kotlin 5"),
    ("object ", r"^object \w+ extends \w+", "scala 5"),
    (
        "trait ",
        r"^(?:sealed )?trait \w+(?:\[[^\]\n]{1,40}\])?(?: extends|:|\{| \{|$)",
        "scala 3 php 0.5 rust 0.5",
    ),
    (" with ", r"\bextends \w+(?:\[[^\]\n]{1,40}\])? with \w+", "scala 4 dart 2"),
    ("trait ", r"^(?:pub )?trait \w+(?:<[^\n>]{1,40}>)?(?:: [\w +]{1,60})? \{", "rust 3 php 1"),
    (
        "impl",
        r"^impl(?:<[^\n]{1,80}>)? [\w:<>&', ]{1,80}(?: for [\w:<>&', \[\]]{1,80})?(?: \{|"
        r" where)?$",
        "rust 6",
    ),
    (
        "struct ",
        r"^(?:pub(?:\(\w+\))? )?struct \w+(?:<[^\n>]{1,60}>)?(?: \{|;|\()",
        "rust 2 c 1 cpp 1.5 swift 1 csharp 0.3",
    ),
    ("pub ", r"^pub (?:\(crate\) )?(?:struct|enum|fn|trait|mod|use|const|type|static)\b", "rust 5"),
    ("struct ", r"^typedef (?:struct|enum|union)\b", "c 4 cpp 1 objc 1"),
    ("struct ", r"^struct \w+ \*?\w+(?: =|;|\()", "c 4 cpp 1"),
    ("struct ", r"\bstruct \w+ \*", "c 4 cpp 0.5"),
    ("type ", r"^type \w+(?:\[[^\]\n]{1,60}\])? (?:struct|interface|func)\b", "go 6"),
    (
        "type ",
        r"^(?:export )?(?:declare )?type \w+(?:<[^\n>]{1,60}>)? = ",
        "typescript 4 rust 1 scala 1 haskell 0.5 fsharp 1 python 0.2 ocaml 1",
    ),
    (
        "interface ",
        r"^(?:export )?(?:default )?(?:declare )?interface \w+(?:<[^\n>{]{1,60}>)?(?: extends"
        r" [\w<>, .|'\"]{1,80})? \{",
        "typescript 3 java 0.7 kotlin 0.7 php 0.5",
    ),
    ("interface ", r"^export (?:default )?interface ", "typescript 5"),
    ("interface ", r"\bpublic (?:sealed )?interface \w+", "java 2 csharp 2"),
    (
        "enum ",
        r"^(?:export )?(?:const )?enum \w+ \{$",
        "typescript 1.5 rust 1 java 1 c 0.7 cpp 0.5 swift 0.5 dart 0.7 csharp 0.3",
    ),
    ("enum class", r"\benum class \w+", "cpp 2 kotlin 2"),
    ("enum ", r"\bindirect enum |\benum \w+: ?(?:String|Int|Error|CaseIterable)", "swift 5"),
    (
        "extension ",
        r"^(?:public |private )?extension [A-Z][\w.]*(?:: [\w, ]{1,60})?(?: where"
        r" [^\n]{1,60})? \{",
        "swift 5",
    ),
    ("protocol ", r"^(?:public )?protocol \w+(?:: [\w, ]{1,60})? \{", "swift 6"),
    ("template", r"^template ?<(?:typename|class|int|size_t|auto|\w+)", "cpp 6"),
    (":", r"^(?:public|private|protected): *$", "cpp 5"),
    ("::", r"\bstd::\w", "cpp 4 rust 1.5"),
    ("::", r"\b[A-Z]\w*::[a-z_]\w*\(", "rust 2 cpp 1 php 1.5"),
    ("::", r"\b\w+::\w+::<|::<", "rust 4 cpp 0.3"),
    ("::", r"^[\w:<>*& ]{1,60}\b\w+::~?\w+\([^\n]{0,150}\)[^\n;]{0,40}(?:\{|$)", "cpp 3"),
    ("::", r"\b[A-Z]\w+::[A-Z]\w+", "ruby 2 rust 1 cpp 1 perl 1 php 0.5"),
    ("declare ", r"^declare (?:module|global|const|function|namespace)\b", "typescript 5"),
)
IDIOMS = tuple(_idioms((*_DEFINITIONS, *STATEMENTS, *SCRIPTS)))


def loudness(count: int) -> float:
    """Return the weight of repetitions: three count twice as much as one, and seven count most."""
    return min(_LOUDEST, math.log2(1 + count))


def idiom_scores(bare: str) -> dict[str, float]:
    """Return scores by language for code without the words in comments and strings."""
    scores: dict[str, float] = {}
    for idiom in IDIOMS:
        if idiom.needle in bare and (count := len(idiom.pattern.findall(bare))):
            for language, weight in idiom.weights.items():
                scores[language] = scores.get(language, 0.0) + weight * loudness(count)
    return scores
