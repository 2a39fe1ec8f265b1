"""Conditions, loops, errors, and how lines end. Rows for `all`."""

from __future__ import annotations

STATEMENTS = (
    # Statements.
    (
        ":",
        r"^(?:if|elif|while|for|with|except|try|else|finally|match|case)\b[^\n{};]{0,200}:$",
        "python 3 nim 1",
    ),
    ("elif", r"^elif\b", "python 3 bash 1 nim 1"),
    ("for ", r"[\[({][^\n]{1,150} for \w+(?:, ?\w+){0,3} in [^\n]{1,150}[\])}]", "python 5"),
    ("for ", r"^for \w+(?:, ?\w+){0,3} in [^\n{]{1,150}:$", "python 4"),
    ("for ", r"^for (?:\(\w+, \w+\)|\w+|&\w+|mut \w+) in [^\n]{1,150} \{$", "rust 2 swift 2"),
    ("for", r"^for ?\((?:int|size_t|unsigned|long) \w+ = ", "java 1.2 c 1.2 cpp 1.2 csharp 1.2"),
    ("for (", r"\bfor ?\((?:let|const|var) \w+ (?:of|in) ", "javascript 3 typescript 2.5 dart 1"),
    ("for (", r"\bfor ?\(let \w+ = ", "javascript 3 typescript 2"),
    ("for (", r"\bfor ?\((?:const )?auto[ &]", "cpp 6"),
    (
        "for (",
        r"\bfor ?\((?:final )?[A-Z]\w*(?:<[^\n>]{1,40}>{1,2})?(?:\[\])? \w+ : ",
        "java 5 cpp 0.5",
    ),
    ("foreach", r"\bforeach ?\((?:var|string|int|[A-Z]\w*) \w+ in ", "csharp 6"),
    ("foreach", r"\bforeach ?\(\$[^\n]{1,80} as \$", "php 8"),
    ("foreach", r"\bforeach ?\(\$\w+ in ", "powershell 6"),
    ("foreach", r"^foreach (?:my )?\$\w+ ?\(", "perl 6"),
    (
        "for ",
        r"\bfor ?\((?:\(?\w+(?:, \w+\))?) in [^\n]{1,80}\) ?(?:\{|$|\w)",
        "kotlin 2 r 1.5 javascript 0.2",
    ),
    ("for ", r"^for \w+(?:, \w+)? := range |^for _?, ?\w+ := |^for \w+ := 0; |^for \{$", "go 5"),
    ("for ", r"^for ?\(\w+ <- |^for \{$|\} yield ", "scala 2"),
    ("for (", r"\bfor ?\(\w+ <- [^\n]{1,80}\)", "scala 5"),
    ("if ", r"^\}? ?(?:else )?if [^\n({][^\n]{0,150} \{$", "go 1.5 rust 1.5 swift 1.5"),
    (
        "if",
        r"^\}? ?(?:else )?if ?\([^\n]{1,150}\) ?\{$",
        "java 0.5 javascript 0.5 typescript 0.4 c 0.5 cpp 0.5 csharp 0.4 php 0.4 kotlin 0.5 "
        "dart 0.4 scala 0.3 r 0.4",
    ),
    ("switch", r"^switch [^\n({][^\n]{0,80} \{$", "go 2 swift 2"),
    ("case ", r"^case \.\w+", "swift 5"),
    ("case ", r"^case [^\n]{1,100} =>", "scala 4 csharp 0.3"),
    ("=>", r"^(?:\w+::)*[\w(){}, |&._]{1,80} => [^\n]{1,120},$", "rust 1.5 csharp 0.5 php 0.3"),
    ("when", r"^(?:return |val \w+ = )?when ?(?:\([^\n)]{1,80}\) )?\{$", "kotlin 4"),
    (
        "->",
        r"^(?:is |in |!is )?[\w.\", ]{1,60} -> [^\n]{1,150}$",
        "kotlin 1.5 haskell 0.5 elixir 0.5 ocaml 0.3 java 0.3",
    ),
    ("match ", r"\bmatch [^\n{]{1,80} \{$", "rust 3"),
    (" match", r"\w\)? match ?(?:\{|$)", "scala 4"),
    ("catch", r"\bcatch ?\((?:final )?[A-Z]\w*(?: ?\| ?\w+)* \w+\)", "java 2 csharp 1.5"),
    ("catch", r"\bcatch ?\(\\?\w+(?: ?\| ?\\?\w+)* \$\w+\)", "php 6"),
    ("catch", r"\bcatch ?\(\w+\) \{", "javascript 2 typescript 1.5"),
    ("catch", r"\bcatch ?\(\w+: ?\w+\)", "kotlin 4 typescript 1.5"),
    ("catch", r"\} catch \{$|\} catch let ", "swift 3 javascript 0.5 powershell 0.5"),
    ("catch", r"\bcatch ?\(const [\w:]+ ?& ?\w*\)", "cpp 6"),
    ("rescue", r"^rescue\b", "ruby 4 elixir 0.5"),
    ("try", r"\btry[?!]? (?:await )?\w+[.(]", "swift 3"),
    ("?.", r"\w\?\.\w", "kotlin 1 swift 1 javascript 1 typescript 1.3 csharp 1 dart 0.7"),
    ("?:", r"\?: ", "kotlin 3 php 0.5 groovy 0.5"),
    ("!!", r"\w!!(?:\.|$|\))", "kotlin 4"),
    ("??", r" \?\? ", "csharp 0.7 swift 0.7 javascript 0.5 typescript 0.7 php 0.7 dart 0.5"),
    ("== ", r" [!=]== ", "javascript 2.5 typescript 2 php 1.2 swift 0.3"),
    ("{", r"\{ ?(?:it|\w+ ->)[ .]", "kotlin 3 groovy 1"),
    ("$0", r"\$0(?:\.\w| [-+*/<>=]|\)| \})", "swift 4"),
    ("in", r"\{ (?:\[weak self\] )?(?:\(?\w+(?:, ?\w+)?\)? )?in(?: |$)", "swift 4"),
    ("..", r"\.\.<\w|[\w)]\.\.\.[\w(]", "swift 3 ruby 0.7 kotlin 0.3"),
    ("..", r"[\w)]\.\.=?[\w(]", "rust 1.5 kotlin 1.5 ruby 0.7"),
    ("cout", r"\bcout ?<<|<< ?(?:std::)?endl|\bcin ?>>", "cpp 6"),
    ("<<", r"<< \"\" <<|<< \w+ << ", "cpp 2"),
    ("&", r"\bconst [\w:]{1,40}(?:<[^\n>]{1,60}>)? ?& ?\w*", "cpp 4"),
    ("auto ", r"\b(?:const )?auto[&*]{0,2} \w+ = ", "cpp 4"),
    (
        "[",
        r"\[[&=]?(?:this|&?\w+)?(?:, ?&?\w+)*\] ?\([^\n)]{0,100}\)(?: mutable)?(?: ->"
        r" [^\n{]{1,40})? ?\{",
        "cpp 3",
    ),
    ("delete", r"\bdelete(?:\[\])? \w+;", "cpp 3 javascript 0.5"),
    ("->", r"\b\w+->\w+(?:->\w+)?(?: [-+*/|&]?= |;|\)|\(|\+\+)", "c 1.5 cpp 1.2"),
    (
        "*",
        r"\b(?:char|int|void|float|double|FILE|unsigned \w+|struct \w+|u?int\d+_t) ?\*{1,2}"
        r" ?\w",
        "c 2.5 cpp 1 objc 0.5",
    ),
    ("&", r"[(,] ?&\w+(?:[.\[]|->|,|\))", "c 1 cpp 0.5 rust 0.7 go 0.7"),
    ("&", r"[(,<: ]&(?:mut |'?\w+ )?(?:self|str|mut|\[|Vec|String|'' )", "rust 4"),
    ("(", r"\b(?:printf|fprintf|malloc|free|scanf|strcpy|strlen|memset)\(", "c 3 cpp 1.2 php 0.3"),
    ("#[", r"^#!?\[\w+", "rust 4 php 0.7"),
    (
        "!",
        r"\b(?:println|format|vec|panic|assert|assert_eq|write|writeln|eprintln|print|matches"
        r"|todo)!\s?[\[(]",
        "rust 5",
    ),
    ("?", r"\)\?;|\)\?\.|\w\?;", "rust 3"),
    ("", r"^(?:Some|Ok|Err|None|Self)\b", "rust 2 scala 0.3"),
    # How lines end.
    (
        ";",
        r"[\w)\]\"'}+-];$",
        "java 0.3 javascript 0.3 typescript 0.3 c 0.3 cpp 0.3 csharp 0.3 php 0.3 rust 0.3 "
        "perl 0.3 dart 0.3 objc 0.3 python -1 go -1 kotlin -1 swift -1 scala -0.7 ruby -0.7 "
        "bash -0.3 r -0.7 lua -0.3 elixir -1 haskell -1",
    ),
    ("};", r"^\};$", "c 0.5 cpp 1 javascript 0.5"),
    ("})", r"^\}\);?$", "javascript 2 typescript 1.5 rust 0.3 go 0.3 php 0.3"),
    (
        "{",
        r"^\{$",
        "csharp 1.5 c 0.5 cpp 0.3 php 0.5 powershell 0.2 java -0.3 kotlin -1 go -1 swift -1 "
        "rust -1 javascript -0.3",
    ),
    ("self", r"\bself\.\w", "python 1.5 rust 1 swift 1 ruby 0.5 php -1"),
    (
        "this.",
        r"\bthis\.\w",
        "javascript 1 typescript 1 java 1 csharp 0.5 kotlin 0.5 php -1 dart 0.3 scala 0.2",
    ),
    ("this->", r"\bthis->\w", "cpp 2 php 1"),
    # TypeScript and its like.
    (
        ": ",
        r"\w\??: (?:string|number|boolean|any|void|unknown|never|null|undefined)(?:\[\])?(?:"
        r" ?[|&;,)=}\]{]| =>|$)",
        "typescript 4",
    ),
    (
        ": ",
        r"\): (?:Promise<|Observable<|[\w.]{1,40}(?:<[^\n{]{1,60}>)?(?:\[\])?(?: \| \w+)*)(?:"
        r" \{| =>|;)$",
        "typescript 3 php 0.5 kotlin 0.3",
    ),
    (
        " as ",
        r"\bas (?:const|string|any|number|unknown|[A-Z]\w*(?:\[\])?)[;,) \n]",
        "typescript 2 swift 0.3 kotlin 0.3",
    ),
    (
        "<",
        r"\b(?:Promise|Array|Record|Map|Set|Partial|Observable"
        r"|ReadonlyArray)<[\w\[\]<>, |'\"]{1,80}>",
        "typescript 2.5 java 0.2",
    ),
    ("?:", r"\b\w+\?: \w", "typescript 5"),
    (
        "",
        r"^(?:private|public|protected|static|readonly)(?: readonly| static| async)* \w+(?:\?"
        r"|!)?(?:: |\([^\n)]{0,100}\): )",
        "typescript 4",
    ),
    ("constructor(", r"\bconstructor\((?:private|public|protected|readonly) ", "typescript 5"),
    ("constructor", r"\bconstructor ?\(", "javascript 1.5 typescript 1.5 kotlin 0.5 solidity 1"),
    ("<", r'<[A-Z]\w+ [\w-]+=[{"]|</[A-Z]\w*>|</>|<\w+ [\w-]+=\{', "javascript 2 typescript 1.8"),
)
