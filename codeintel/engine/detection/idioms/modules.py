"""How code names itself, and what it takes from elsewhere. Rows for `all`."""

from __future__ import annotations

MODULES = (
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
)
