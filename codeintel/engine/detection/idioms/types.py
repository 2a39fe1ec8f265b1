"""How classes, structures and other types begin. Rows for `all`."""

from __future__ import annotations

TYPES = (
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
