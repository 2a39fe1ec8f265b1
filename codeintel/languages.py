"""Canonical language names, their aliases and file extensions."""

from __future__ import annotations

from pathlib import PurePath

# canonical name: (other names that people send, file extensions)
_LANGUAGES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "bash": (("sh", "shell", "zsh"), ("sh", "bash", "zsh")),
    "c": ((), ("c", "h")),
    "cpp": (("c++", "cxx", "cc"), ("cc", "cpp", "cxx", "hpp", "hh")),
    "csharp": (("c#", "cs", "dotnet"), ("cs",)),
    "css": ((), ("css",)),
    "go": (("golang",), ("go",)),
    "html": (("htm",), ("html", "htm")),
    "java": ((), ("java",)),
    "javascript": (("js", "node", "nodejs", "ecmascript", "jsx"), ("js", "mjs", "cjs", "jsx")),
    "json": ((), ("json",)),
    "kotlin": (("kt",), ("kt", "kts")),
    "php": ((), ("php",)),
    "python": (("py", "python3", "py3", "cpython"), ("py", "pyi", "pyw")),
    "ruby": (("rb",), ("rb",)),
    "rust": (("rs",), ("rs",)),
    "scala": ((), ("scala", "sc")),
    "sql": ((), ("sql",)),
    "swift": ((), ("swift",)),
    "toml": ((), ("toml",)),
    "typescript": (("ts", "tsx"), ("ts", "tsx", "mts", "cts")),
    "yaml": (("yml",), ("yaml", "yml")),
}
_BY_NAME = {
    name: canonical for canonical, (names, _) in _LANGUAGES.items() for name in (canonical, *names)
}
_BY_EXTENSION = {ext: canonical for canonical, (_, exts) in _LANGUAGES.items() for ext in exts}


def canonical_language(name: str) -> str:
    """The canonical name for what a client sent (`py`, `C++`, `.ts`, `Golang`): unknown names come
    back in lower case, so that analysers for languages that this table lacks still match."""
    key = name.strip().lower()
    if key.startswith("."):
        return _BY_EXTENSION.get(key[1:], key[1:])
    return _BY_NAME.get(key, key)


def language_of_path(path: str | PurePath) -> str | None:
    """The language that a file's extension tells, or None."""
    return _BY_EXTENSION.get(PurePath(path).suffix.lstrip(".").lower())
