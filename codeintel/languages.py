"""Canonical language names, and the names, extensions and files by which they are known."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import NamedTuple

NAME_PATTERN = r"[^\W_]"
"""A letter or a digit, which every name of a language has."""


class _Language(NamedTuple):
    """Words apart by spaces: what people call it, file extensions, whole names of files."""

    title: str
    aliases: str = ""
    extensions: str = ""
    files: str = ""


_LANGUAGES: dict[str, _Language] = {
    "ada": _Language("Ada", "", "adb ads ada"),
    "asm": _Language("Assembly", "assembly assembler nasm gas masm", "asm s nasm"),
    "awk": _Language("AWK", "gawk mawk nawk", "awk"),
    "bash": _Language(
        "Bash",
        "sh shell zsh ksh dash shellscript shell-script",
        "sh bash zsh ksh",
        ".bashrc .bash_profile .bash_aliases .profile .zshrc .zshenv .zprofile pkgbuild apkbuild",
    ),
    "batch": _Language("Batch", "bat cmd dosbatch batchfile", "bat cmd"),
    "c": _Language("C", "ansi-c c89 c99 c11 c17", "c h"),
    "clojure": _Language("Clojure", "clj clojurescript cljs", "clj cljs cljc edn"),
    "cmake": _Language("CMake", "", "cmake", "cmakelists.txt"),
    "cobol": _Language("COBOL", "", "cob cbl cpy"),
    "commonlisp": _Language("Common Lisp", "common-lisp lisp cl", "lisp lsp"),
    "cpp": _Language("C++", "c++ cxx cc cplusplus", "cc cpp cxx c++ hpp hh hxx h++ ipp tpp"),
    "crystal": _Language("Crystal", "", "cr"),
    "csharp": _Language("C#", "c# cs c-sharp dotnet", "cs csx"),
    "css": _Language("CSS", "", "css"),
    "csv": _Language("CSV", "", "csv"),
    "d": _Language("D", "dlang", "d di"),
    "dart": _Language("Dart", "", "dart"),
    "diff": _Language("Diff", "patch udiff", "diff patch"),
    "dockerfile": _Language(
        "Dockerfile", "docker containerfile", "dockerfile", "dockerfile containerfile"
    ),
    "elixir": _Language("Elixir", "ex exs", "ex exs"),
    "elm": _Language("Elm", "", "elm"),
    "erlang": _Language("Erlang", "erl escript", "erl hrl"),
    "fish": _Language("Fish", "", "fish"),
    "fortran": _Language("Fortran", "f77 f90 f95", "f for f77 f90 f95 f03 f08"),
    "fsharp": _Language("F#", "f# fs f-sharp", "fs fsi fsx"),
    "go": _Language("Go", "golang", "go"),
    "gomod": _Language("Go module", "go.mod", "", "go.mod"),
    "graphql": _Language("GraphQL", "gql", "graphql gql graphqls"),
    "groovy": _Language("Groovy", "gradle", "groovy gradle gvy", "jenkinsfile"),
    "haskell": _Language("Haskell", "hs runhaskell runghc", "hs lhs"),
    "html": _Language("HTML", "htm xhtml html5", "html htm xhtml"),
    "ini": _Language("INI", "cfg dosini", "ini cfg", ".editorconfig .gitconfig .npmrc setup.cfg"),
    "java": _Language("Java", "jdk", "java jav"),
    "javascript": _Language(
        "JavaScript", "js node nodejs ecmascript es6 jsx mjs cjs", "js mjs cjs jsx es6"
    ),
    "jinja": _Language("Jinja", "jinja2", "j2 jinja jinja2"),
    "json": _Language(
        "JSON",
        "json5 jsonc",
        "json json5 jsonc webmanifest geojson",
        ".babelrc .eslintrc .prettierrc composer.lock pipfile.lock",
    ),
    "julia": _Language("Julia", "jl", "jl"),
    "kotlin": _Language("Kotlin", "kt kts", "kt kts"),
    "latex": _Language("LaTeX", "tex", "tex sty ltx"),
    "less": _Language("Less", "", "less"),
    "lua": _Language("Lua", "luajit luau", "lua luau"),
    "make": _Language("Make", "makefile gmake gnumake", "mk mak", "makefile gnumakefile"),
    "markdown": _Language("Markdown", "md mdown", "md markdown mdown mkd"),
    "matlab": _Language("MATLAB", "octave", "matlab"),
    "nim": _Language("Nim", "", "nim nims"),
    "nix": _Language("Nix", "", "nix"),
    "objc": _Language("Objective-C", "objective-c objectivec obj-c", "m mm"),
    "ocaml": _Language("OCaml", "ml", "ml mli"),
    "pascal": _Language("Pascal", "delphi object-pascal freepascal", "pas dpr lpr"),
    "perl": _Language("Perl", "pl perl5", "pl pm", "cpanfile"),
    "php": _Language("PHP", "php5 php7 php8", "php php3 php4 php5 phtml"),
    "powershell": _Language("PowerShell", "pwsh ps1 posh", "ps1 psm1 psd1"),
    "prolog": _Language("Prolog", "swipl", "prolog"),
    "properties": _Language("Properties", "", "properties"),
    "protobuf": _Language("Protocol Buffers", "proto proto3", "proto"),
    "python": _Language(
        "Python",
        "py python2 python3 py2 py3 cpython pypy",
        "py pyi pyw",
        "sconstruct sconscript wscript",
    ),
    "r": _Language("R", "rlang rscript", "r rprofile", ".rprofile"),
    "racket": _Language("Racket", "rkt", "rkt"),
    "rst": _Language("reStructuredText", "restructuredtext", "rst"),
    "ruby": _Language(
        "Ruby",
        "rb jruby irb",
        "rb rake gemspec ru",
        "rakefile gemfile guardfile vagrantfile podfile fastfile brewfile capfile",
    ),
    "rust": _Language("Rust", "rs", "rs"),
    "scala": _Language("Scala", "", "scala sc sbt"),
    "scheme": _Language("Scheme", "guile", "scm"),
    "scss": _Language("SCSS", "sass", "scss sass"),
    "solidity": _Language("Solidity", "sol", "sol"),
    "sql": _Language("SQL", "ansi-sql", "sql ddl"),
    "starlark": _Language("Starlark", "bazel bzl", "bzl bazel star", "build.bazel workspace.bazel"),
    "svelte": _Language("Svelte", "", "svelte"),
    "swift": _Language("Swift", "", "swift"),
    "tcl": _Language("Tcl", "tclsh wish", "tcl"),
    "terraform": _Language("Terraform", "tf hcl", "tf tfvars hcl"),
    "text": _Language("plain text", "txt plain plaintext"),
    "toml": _Language("TOML", "", "toml", "pipfile cargo.lock poetry.lock uv.lock"),
    "typescript": _Language("TypeScript", "ts tsx mts cts deno", "ts tsx mts cts"),
    "vb": _Language("Visual Basic", "vbnet vb.net vba vbscript", "vb vbs bas"),
    "verilog": _Language("Verilog", "systemverilog", "v sv svh vh"),
    "vhdl": _Language("VHDL", "", "vhd vhdl"),
    "vim": _Language("Vim script", "vimscript viml", "vim", ".vimrc"),
    "vue": _Language("Vue", "", "vue"),
    "xml": _Language(
        "XML", "svg xsl xslt", "xml svg xsd xsl xslt plist csproj rss wsdl", "pom.xml"
    ),
    "yaml": _Language("YAML", "yml", "yaml yml", ".clang-format .clang-tidy"),
    "zig": _Language("Zig", "", "zig zon"),
    # What is written for one database is no SQL in general.
    "bigquery": _Language("BigQuery SQL", "googlesql"),
    "clickhouse": _Language("ClickHouse SQL"),
    "databricks": _Language("Databricks SQL"),
    "db2": _Language("Db2 SQL"),
    "duckdb": _Language("DuckDB SQL"),
    "hive": _Language("HiveQL", "hiveql hql", "hql"),
    "mariadb": _Language("MariaDB SQL"),
    "mysql": _Language("MySQL"),
    "oracle": _Language("Oracle SQL", "plsql pl/sql", "pks pkb plsql"),
    "postgres": _Language("PostgreSQL", "postgresql pgsql plpgsql psql", "pgsql"),
    "redshift": _Language("Redshift SQL"),
    "snowflake": _Language("Snowflake SQL"),
    "sparksql": _Language("Spark SQL", "spark-sql"),
    "sqlite": _Language("SQLite", "sqlite3"),
    "teradata": _Language("Teradata SQL"),
    "trino": _Language("Trino SQL", "presto"),
    "tsql": _Language("T-SQL", "t-sql mssql sqlserver sql-server transact-sql"),
}


def _index(column: str) -> dict[str, str]:
    """Canonical names by the words of a column."""
    return {
        word: canonical
        for canonical, language in _LANGUAGES.items()
        for word in getattr(language, column).split()
    }


_BY_NAME = {**{name: name for name in _LANGUAGES}, **_index("aliases")}
_BY_EXTENSION = _index("extensions")
_BY_FILE = _index("files")


def is_a_name(text: str) -> bool:
    """Whether a language may be called so: a dot or a dash alone names none."""
    return re.search(NAME_PATTERN, text) is not None


def canonical_language(name: str) -> str:
    """The canonical name for what a client sent (`py`, `C++`, `.ts`, `Golang`): unknown names come
    back in lower case, so that analysers for languages that this table lacks still match."""
    key = name.strip().lower()
    if key.startswith("."):
        return _BY_EXTENSION.get(key[1:], key[1:])
    return _BY_NAME.get(key) or _BY_EXTENSION.get(key, key)


def language_of_path(path: str | PurePath) -> str | None:
    """The language that a file's name tells by its extension or as a whole, or None. An extension
    that several languages use is the most usual one's; `Dockerfile.dev` is a Dockerfile."""
    path = PurePath(path)
    name = path.name.lower()
    known = _BY_FILE.get(name) or _BY_EXTENSION.get(path.suffix.lstrip(".").lower())
    return known or _BY_FILE.get(name.partition(".")[0])


def language_title(language: str) -> str:
    """A canonical language as people write it: `C++`, `JavaScript`."""
    return _LANGUAGES[language].title if language in _LANGUAGES else language


class Language(NamedTuple):
    """A language for listings: its canonical name, how people write it, what else it is called,
    and its file extensions without dots."""

    name: str
    title: str
    aliases: tuple[str, ...]
    extensions: tuple[str, ...]


def languages() -> tuple[Language, ...]:
    """All languages that have a canonical name, in order of name."""
    return tuple(
        Language(name, known.title, tuple(known.aliases.split()), tuple(known.extensions.split()))
        for name, known in sorted(_LANGUAGES.items())
    )


def is_known(language: str) -> bool:
    """Whether it is one of the canonical names here."""
    return language in _LANGUAGES
