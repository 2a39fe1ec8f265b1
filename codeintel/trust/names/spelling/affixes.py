"""The words that are put before or after a name to make another one of it."""

from __future__ import annotations

from collections.abc import Iterator

# The language or the registry says nothing new about a package that is there already.
LANGUAGES = frozenset(
    [
        "js",
        "ts",
        "py",
        "node",
        "nodejs",
        "npm",
        "pypi",
        "pip",
        "python",
        "python2",
        "python3",
        "rust",
        "rs",
        "go",
        "golang",
        "ruby",
        "rb",
        "php",
    ]
)
OTHERS = frozenset(
    [
        "api",
        "app",
        "bin",
        "binary",
        "cli",
        "client",
        "core",
        "dev",
        "fix",
        "fixed",
        "free",
        "helper",
        "lib",
        "libs",
        "main",
        "module",
        "new",
        "next",
        "official",
        "org",
        "package",
        "pkg",
        "plus",
        "pro",
        "sdk",
        "server",
        "service",
        "tool",
        "tools",
        "util",
        "utils",
        "wrapper",
    ]
)
_OWN = {
    "npm": frozenset(["js", "node", "nodejs", "npm"]),
    "pypi": frozenset(["pip", "py", "pypi", "python", "python2", "python3"]),
}
_SEPARATORS = "-_./"
_BY_LENGTH = tuple(sorted(LANGUAGES | OTHERS, key=lambda word: (-len(word), word)))
_SHORTEST_REST = 3


def stripped(name: str) -> Iterator[tuple[str, str]]:
    """A lower-case name without an affix, and the affix with the separator that joined it."""
    for word in _BY_LENGTH:
        for rest, affix in ((_front(name, word)), _back(name, word)):
            if len(rest) >= _SHORTEST_REST:
                yield rest, affix


def _front(name: str, word: str) -> tuple[str, str]:
    if not name.startswith(word):
        return "", ""
    rest = name[len(word) :].lstrip(_SEPARATORS)
    return rest, name[: len(name) - len(rest)]


def _back(name: str, word: str) -> tuple[str, str]:
    if not name.endswith(word):
        return "", ""
    rest = name[: -len(word)].rstrip(_SEPARATORS)
    return rest, name[len(rest) :]


def is_language(affix: str) -> bool:
    """Whether an affix, with its separator or without, names a language or a registry."""
    return affix.strip(_SEPARATORS) in LANGUAGES


def is_own_language(ecosystem: str, affix: str) -> bool:
    """Whether an affix names the language or registry of the ecosystem that it is used in."""
    return affix.strip(_SEPARATORS) in _OWN.get(ecosystem, ())


def is_glued(affix: str) -> bool:
    """Whether an affix is joined without a separator."""
    return affix == affix.strip(_SEPARATORS)
