"""List idioms of shells, and of languages whose lines look unlike others."""

from __future__ import annotations

SCRIPTS = (
    # Shells.
    ("[ ", r"^(?:if|elif|while|until|!)? ?\[\[? .{1,150} \]\]?(?:;|$| \|\|| &&)", "bash 5"),
    ("then", r"^then$|; then$", "bash 4"),
    ("", r"^(?:fi|done|esac)(?:$| [<>|&]|;)", "bash 6"),
    ("do", r"; do$", "bash 4"),
    (
        "$",
        r"\$\{\w+(?:[:#%/^,][^}\n]{0,60})?\}|\"\$\w+\"|\$\(\w|\$[@#?1-9*](?=\W)",
        "bash 1.5 make 0.2 php -0.5",
    ),
    ("$(", r"\$\([a-z]\w+ ", "bash 2 make 1"),
    (
        "=",
        r"^(?:export |readonly |local )?[A-Za-z_]\w*=(?:\"\"|''|\$|\w|\()[^\n;]{0,200}$",
        "bash 2 ini 0.5 make 0.2 properties 0.3",
    ),
    ("echo ", r"^echo (?:-[neE]+ )?(?:\"\"|''|\$|\w)", "bash 2.5 php 0.7"),
    (")", r"^[\w\"*|.-]{1,60}\)$", "bash 1.5"),
    (";;", r";;$", "bash 4 ocaml 1"),
    ("|", r" \| (?:grep|awk|sed|sort|xargs|head|tail|wc|tr|cut|tee|uniq|jq|while)\b", "bash 5"),
    ("set -", r"^set -[euxo]", "bash 6"),
    (">", r"[12&]?>&[12]|2?>/dev/null|<<-?'?EOF", "bash 4"),
    ("-", r"\b[A-Z][a-z]+-[A-Z][A-Za-z]+\b", "powershell 2"),
    (
        " -",
        r" -(?:eq|ne|gt|lt|ge|le|like|match|notmatch|contains|join|replace|split|and|or|not) ",
        "powershell 2 bash 0.7",
    ),
    (
        "[",
        r"\[(?:string|int|bool|switch|Parameter|CmdletBinding|array|hashtable|PSCustomObject|d"
        r"atetime|System\.[\w.]+)(?:\[\])?[\](]",
        "powershell 5",
    ),
    ("function ", r"^function [A-Z][a-z]+-\w+", "powershell 7"),
    ("param", r"^param ?\($", "powershell 4"),
    # Other languages.
    ("::", r"^\w[\w']* :: ", "haskell 6"),
    ("=", r"^\w+(?: [\w(){}\[\]:_,@]+){1,6} = ", "haskell 1"),
    ("import", r"^import (?:qualified )?[A-Z][\w.]+(?: \(| as | hiding|$)", "haskell 3"),
    ("where", r"^ *where$", "haskell 3"),
    ("data ", r"^(?:data|newtype) [A-Z]\w*(?: \w+)* =", "haskell 5"),
    ("(", r"^\((?:def\w*|ns|let|define|require|use)\b", "clojure 4 commonlisp 2 scheme 2"),
    ("(", r"\)\)\)\)?$", "clojure 1 commonlisp 1 scheme 1"),
    ("let ", r"^let (?:rec )?\w+(?: [\w(:)_]+)+ =", "ocaml 4 fsharp 4"),
    ("-module", r"^-(?:module|export|include|record|spec|define)\(", "erlang 8"),
    ("->", r"^\w+\([^\n]{0,100}\) ?(?:when [^\n]{1,80})?->$", "erlang 4"),
    (
        "@",
        r"^@(?:interface|implementation|property|protocol|end|class|synthesize|import)\b",
        "objc 6",
    ),
    ("[", r"\[\[?[A-Za-z_]\w* \w+[\]: ]", "objc 1.5"),
    (
        "\\",
        r"\\(?:begin|end|section|subsection|usepackage|documentclass|textbf|item|cite|ref"
        r"|label|frac)\b",
        "latex 5",
    ),
    ("@import", r"= @import\(", "zig 8"),
    ("pragma", r"^pragma solidity", "solidity 9"),
    ("contract ", r"^(?:abstract )?contract \w+(?: is [\w, ]+)? \{", "solidity 8"),
    (
        "procedure",
        r"^(?:procedure|function) \w+(?:\.\w+)?(?:\([^\n)]{0,100}\))?(?: ?: ?\w+)?;$",
        "pascal 6",
    ),
    ("begin", r"^begin$", "pascal 2 sql 1 vhdl 1"),
    (":=", r"^\w+(?:\[\w+\]|\.\w+)? := [^\n]{1,100};$", "pascal 4 sql 0.5"),
    ("End ", r"^End (?:Sub|Function|If|Class|Module|Property)$", "vb 6"),
    ("Dim ", r"^Dim \w+ As ", "vb 7"),
    ("end ", r"^(?i:end (?:if|do|program|subroutine|function|module))\b", "fortran 4"),
    (
        "::",
        r"^(?i:integer|real|character|logical|type)(?:\([^\n)]{1,40}\))?(?:, ?[\w()]+)* :: ",
        "fortran 7",
    ),
    ("function ", r"^function (?:\[[^\n\]]{1,60}\] = |\w+ = )?\w+\(", "matlab 1 julia 1"),
    ("stage", r"^(?:pipeline|stages|stage\(|steps) ?(?:\(?''\) ?)?\{", "groovy 5"),
    (
        "(",
        r"^(?:implementation|testImplementation|api|kotlin|id|alias|mavenCentral|maven"
        r"|compileOnly|classpath)\((?:\"\"|[\w.]+\(|\))",
        "kotlin 2",
    ),
    (" version ", r"\) version (?:\"\"|\w)", "kotlin 5"),
    ("val ", r"^val \w+ by ", "kotlin 4"),
    (
        "'",
        r"^(?:implementation|testImplementation|api|compile|classpath|id|apply plugin:"
        r"|sourceCompatibility ?=) ?''",
        "groovy 4",
    ),
    ("def ", r"^def \w+ = ", "groovy 3 scala 0.5"),
    # Less common languages.
    (
        "",
        r"^@?(?i:echo off|setlocal|endlocal)\b|^(?i:rem) |^(?i:goto|call) :?\w+$|^(?i:if "
        r"(?:not )?(?:exist|defined|errorlevel)) ",
        "batch 6",
    ),
    ("%", r"%(?:~[a-z]*)?\w+%|%~\w+|^set (?:/[ap] )?\"?\w+=", "batch 5"),
    ("set -", r"^set (?:-[gxlUe]+ )[\w]+ ", "fish 6"),
    ("function ", r"^function \w+(?: --?\w[\w -]*)?$", "fish 3"),
    ("", r"; (?:and|or) |^(?:if|while) (?:not )?(?:set -q|string |status )|^status ", "fish 4"),
    ("let ", r"^let [gsbwlv]:\w", "vim 7"),
    (
        "",
        r"^(?:nnoremap|inoremap|vnoremap|nmap|autocmd|augroup|endfunction|endif|function! "
        r"|syntax (?:on|match|region)|filetype |set (?:no)?[a-z]+$)",
        "vim 4",
    ),
    ("with ", r"^with [A-Z]\w*(?:\.\w+)*;", "ada 6"),
    (
        " is",
        r"^(?:overriding )?(?:procedure|function|package(?: body)?|task|type|entry) [\w.]+(?:"
        r" ?\([^\n]*\))?(?: return [\w.]+)? is\b|^end [A-Z]\w*;",
        "ada 4",
    ),
    (" : ", r"\w : (?:in|out|in out|constant|aliased) ", "ada 2"),
    (
        "library ",
        r"^(?i:library ieee|use ieee\.|entity \w+ is|architecture \w+ of|signal \w+ ?:)",
        "vhdl 7",
    ),
    (
        "",
        r"^(?:module \w+(?: ?[#(;]|$)|endmodule|always(?:_ff|_comb)? ?@|assign \w+ ?=|input"
        r" (?:wire|logic|\[)|output (?:reg|logic|wire|\[)|(?:reg|wire|logic) ?\[)",
        "verilog 5",
    ),
    (
        "(",
        r"\((?:defun|defmacro|defvar|defparameter|setf|setq|in-package|loop for|format t)\b",
        "commonlisp 6",
    ),
    ("(", r"\((?:define|lambda|let\*?|set!|call/cc|display|newline) ?\(?", "scheme 3 racket 2"),
    ("#lang", r"^#lang ", "racket 9"),
    ("(", r"\((?:defn-?|ns|defrecord|defprotocol|fn|let|swap!|->>?) ?[\[\w]", "clojure 4"),
    ("[", r"\((?:let|fn|doseq|for|loop|when-let|if-let) \[", "clojure 5"),
    ("proc ", r"^proc \w+\*?(?:\[[^\]\n]*\])?\([^\n]*\)(?:: ?[^\n=]+)? =", "nim 8"),
    ("import ", r"^import std/|^from std/", "nim 6"),
    ("import std.", r"^import std\.\w", "d 6"),
    ("unittest", r"^unittest$|^unittest ?\{", "d 4"),
    (":-", r"^:- |^\w+(?:\([^\n]*\))? :-(?:$| )", "prolog 7"),
    ("set ", r"^set \w+ (?:\[|\$|\{|\"\"|\d)", "tcl 4"),
    (
        "{",
        r"^(?:foreach|while|if) (?:\w+ )?(?:\$\w+|\{[^\n]+\}|\[[^\n]+\]) \{$|\[expr |\bputs \$"
        r"?\w",
        "tcl 3",
    ),
    ("{", r"^(?:BEGIN|END) ?\{|^/[^/\n]+/ ?\{|\bprint \$\d|\$NF\b|\bNR ?[=%<>]", "awk 5"),
    (
        "",
        r"^(?:mov[lqbw]?|push[lq]?|pop[lq]?|jmp|j[ngl]?[ez]|lea[lq]?|xor[lq]?|cmp[lq]?|ret"
        r"|syscall|int|add[lq]|sub[lq])\s+[%\w\[$]",
        "asm 4",
    ),
    ("", r"^(?:section \.|global _|extern \w+$|\.globl|\.text|\.data|\.section)", "asm 4"),
    ("::", r"^\.\. [\w-]+::", "rst 3"),
    ("", r"\blet mutable |\bprintfn |^open System|\bmember (?:this|_|x)\.", "fsharp 4"),
    ("exposing", r"^(?:module|import) [\w.]+ (?:as \w+ )?exposing|^type alias ", "elm 8"),
    (
        "",
        r"\bmkDerivation|^\{ ?(?:pkgs|lib|stdenv|config)\b[^\n]*\}:|^inherit |\bwith "
        r"(?:import|pkgs|lib)",
        "nix 6",
    ),
    ("{#", r"\{#(?:if|each|await)|\{/(?:if|each)\}|\bon:click=", "svelte 9"),
    ("<template", r"^<template>|\bv-(?:if|for|model|bind)=|^<script setup", "vue 12"),
    ("@", r"^@[a-z][\w-]*: [^\n{]+;$", "less 5"),
    (
        "",
        r"^(?:open )?module [\w.]+ \{$|^(?:requires|exports|opens|provides) [\w.]+(?: with"
        r" [\w.]+)?;$",
        "java 3",
    ),
)
