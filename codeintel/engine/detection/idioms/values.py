"""How values are declared and used. Rows for `all`."""

from __future__ import annotations

VALUES = (
    ("let ", r"\blet mut \w+", "rust 6"),
    (
        "let ",
        r"^let \w+(?:: ?[A-Z][\w<>\[\]?.:, ]{0,50})? = [^\n]*[^;,\n{(\[]$",
        "swift 3 javascript 0.7 typescript 0.4 fsharp 1",
    ),
    (
        " = ",
        r"^(?:export )?(?:let|const) [\w$]{1,50} = [^\n]{0,250};$",
        "javascript 2 typescript 1.5 rust 0.5",
    ),
    ("const ", r"^(?:export )?const [\w$]{1,50} = ", "javascript 2 typescript 1.5 go 0.3"),
    ("const ", r"^(?:export )?const [\w$]{1,50}: [^\n=]{1,80} =", "typescript 4 rust 0.5"),
    (" = ", r"^(?:const|let|var) ?[{\[][^\n=]{1,120}[}\]] = ", "javascript 3 typescript 2.5"),
    ("let ", r"^let \w+: [^\n=]{1,60} = [^\n]{0,200};$", "rust 2 typescript 2"),
    ("let ", r"\b(?:if|guard|while) (?:let|var) \w+(?: ?= ?|,| \{)", "swift 5"),
    ("let ", r"\b(?:if|while) let (?:Some|Ok|Err|Ev?\w+::)", "rust 6"),
    ("guard ", r"^guard .{1,200}\belse\b", "swift 6"),
    (
        "val ",
        r"^(?:(?:private|protected|override|implicit|lazy|final|internal|const|public)"
        r" ){0,3}val \w+(?: ?: ?[^\n=]{1,60})?(?: = |$| by | get\(\))",
        "kotlin 2.5 scala 2.5",
    ),
    (
        "val ",
        r"^(?:private |override |lazy |implicit )*val (?:\w+: [\w\[\], .]{1,60}\]|\("
        r"[^\n)]{1,60}\)) = ",
        "scala 2 kotlin 0.5",
    ),
    (
        "va",
        r"\bva[lr] \w+ ?: ?[\w.]{1,40}(?:<[^\n>]{1,60}>)?\??(?: =|$|,|\))",
        "kotlin 2 swift 1 scala 1",
    ),
    ("va", r"\bva[lr] \w+ ?: ?[\w.]{1,40}\[[^\n\]]{1,60}\]", "scala 3"),
    ("var ", r"^var \w+ = new \w+", "csharp 2 javascript 1 dart 0.3 java 0.5"),
    ("var ", r"^var \w+(?:, \w+){0,3} (?:\*|\[\]|map\[)?\w+(?: = |$)", "go 4"),
    (":=", r"\b\w+(?:, ?\w+){0,3} := ", "go 5 pascal 1 make 0.5"),
    ("err != nil", r"\bif err := |\bif err != nil \{", "go 6"),
    ("map[", r"\bmap\[\w+\]", "go 5"),
    ("[]", r"\[\](?:string|int|byte|float64|\*?[A-Z]\w+|interface\{\}|rune|error)\b", "go 3"),
    ("", r"<-(?:\w+|time\.After)|\w+ <- ", "go 1.5 r 1 scala 1 haskell 1 elixir 0.3"),
    ("<-", r"^[\w.]{1,60}(?:\$\w+|\[[^\n\]]{0,60}\])? ?<- ", "r 5 haskell 0.5 go 0.3 scala 0.5"),
    ("%", r"%>%|%in%|\|> *$", "r 4 elixir 1 fsharp 1 julia 0.5"),
    (
        "new ",
        r"^(?:final )?[A-Z]\w*(?:<[^\n>]{0,60}>{1,3})?(?:\[\])? \w+ = new [A-Z]",
        "java 3 csharp 2 dart 0.3 groovy 0.5",
    ),
    (
        "",
        r"^(?:final )?(?:String|Integer|List<[^\n>]{1,60}>|Map<[^\n>]{1,60}>) \w+ ?[=;,)]",
        "java 2 dart 1 csharp 0.3 groovy 1",
    ),
    (
        "string",
        r"^(?:(?:public|private|protected|static|readonly|const|required) ){0,3}string\??"
        r"(?:\[\])? \w+ = [^\n]{1,200};$",
        "csharp 1.5 cpp 0.3",
    ),
    (
        "{ get",
        r"\{ ?(?:get|private get|internal get); ?(?:(?:private |protected |internal )?(?:set"
        r"|init); ?)?\}",
        "csharp 6",
    ),
    (
        "[",
        r"^\[[A-Z]\w*(?:\([^\n\]]{0,100}\))?(?:, ?[A-Z]\w*(?:\([^\n)]{0,60}\))?)*\]$",
        "csharp 4 ini 0.5 toml 0.2",
    ),
    (
        "@",
        r"^@[A-Z]\w*(?:\([^\n]{0,150}\))?$",
        "java 2 kotlin 1.5 scala 0.5 typescript 1 swift 0.7 python 0.2 groovy 0.5 dart 0.3",
    ),
    ("@", r"^@[A-Z]\w*\(\{$", "typescript 5"),
    (
        "@",
        r"^@[a-z_][\w.]{0,60}(?:\([^\n]{0,150}\))?$",
        "python 2.5 dart 0.3 swift 0.2 typescript 0.2",
    ),
    (
        "@",
        r"^@(?:State|Published|IBOutlet|IBAction|objc|main|escaping|Binding|ObservedObject"
        r"|discardableResult|MainActor|Environment|EnvironmentObject|StateObject|testable)\b",
        "swift 5",
    ),
    ("$", r"\$\w{1,40} ?(?:=|\.=|\+=|\?\?=|->|\[)", "php 3 perl 2 powershell 2"),
    ("->", r"\$\w{1,40}->\w", "php 4 perl 2"),
    ("", r"\$\w{1,40}->\{|@\{?\$\w|\$\w+\{\w+\}", "perl 5"),
    ("", r"^(?:my|our|local) (?:[$@%]\w+|\([$@%]\w+)", "perl 7"),
    ("= ", r"= (?:shift|@_)\b", "perl 4"),
    ("=~", r"=~ ?(?:[msy]?/|qr|tr)", "perl 4 ruby 1.5"),
    ("=>", r"^(?:''|\"\"|\$?\w+) => [^\n]{1,150},$", "php 2 ruby 1 perl 1.5 rust 0.5 csharp 0.3"),
    ("=> ", r":\w+ => ", "ruby 4"),
    (":", r"[(, {]:\w+[,) \]}]", "ruby 2 elixir 2 clojure 1"),
    (
        "",
        r"^(?:validates|has_many|belongs_to|attr_\w+|before_action|scope|get|post|resources"
        r"|root|gem|describe|context|it|let|task|desc|namespace)!? ?(?::\w+|''|\"\")",
        "ruby 3",
    ),
    ("@", r"(?<![\w@])@{1,2}[a-z_]\w*(?: [|&]{0,2}[-+]?= |\.\w|\[|,? )", "ruby 2.5 elixir 0.2"),
    ("#{", r"#\{", "ruby 0.5"),
    ("end", r"^end$", "ruby 2 lua 2 elixir 2 julia 1.5 matlab 1 fortran 0.3"),
    ("end", r"^end(?:\)|,|;)", "lua 2"),
    ("then", r"^(?:else)?if .{1,150} then$", "lua 5 ruby 0.3 vb 1"),
    ("for ", r"^for [\w, ]{1,40} (?:in|=) [^\n]{1,150} do$", "lua 5"),
    ("while ", r"^while [^\n]{1,150} do$", "lua 2 ruby 0.3 bash 0.2 ocaml 0.5"),
    ("~=", r" ~= (?:nil|\w)", "lua 3 matlab 1"),
    (" .. ", r"[\w\")\]] \.\. [\w\"(]", "lua 3 haskell 0.5"),
    ("unless", r"\bunless\b", "ruby 2 perl 2 elixir 1"),
    ("", r"[\w\])] (?:if|unless) [^\n:{}]{1,120}$", "ruby 2 perl 0.5 python 0.2"),
    (" do", r" do$", "ruby 2.5 elixir 2 lua 1 julia 0.5"),
    ("&.", r"\w&\.\w", "ruby 3"),
    ("&:", r"\(&:\w+\)", "ruby 6"),
    ("|>", r"^\|> ", "elixir 4 fsharp 3 ocaml 1 r 0.5 julia 0.5"),
    ("%{", r"%\{", "elixir 3"),
    ("def", r"^defmodule [\w.]+ do", "elixir 8"),
    ("=", r"[(,] ?\w+=(?:True|False|None|\"\"|''|-?\d[\w.]*|\[|\w+)[,)]", "python 2 r 0.5"),
    (
        "=",
        r"^[a-z_]\w{0,40}(?:\[[^\]\n]{0,40}\])? = [^;{=\n]{0,120}[^;{,\n]$",
        "python 1 ruby 1 julia 0.5",
    ),
    ("print(", r"^print\(", "python 1.5 lua 0.7 swift 0.7 r 0.3 dart 0"),
    # What everybody calls.
    ("console.", r"\bconsole\.(?:log|error|warn|info)\(", "javascript 4 typescript 4"),
    (".", r"\b(?:document|window|location|localStorage)\.[a-z]", "javascript 3 typescript 2"),
    ("alert(", r"\balert\(", "javascript 2"),
    ("Console.", r"\bConsole\.(?:Write|Read)(?:Line)?\(", "csharp 5 vb 2"),
    ("System.", r"\bSystem\.(?:out|err|in)\b", "java 5"),
    ("fmt.", r"\bfmt\.[A-Z]\w+\(", "go 5"),
    (
        "var ",
        r"^var [\w$]{1,50} = [^\n]{0,250};$",
        "javascript 1.5 csharp 1.5 typescript 0.7 dart 0.7 java 0.5",
    ),
    ("chan ", r"\bchan \w+|\bchan<- ", "go 3"),
)
