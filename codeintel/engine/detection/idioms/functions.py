"""How functions begin. Rows for `all`."""

from __future__ import annotations

FUNCTIONS = (
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
)
