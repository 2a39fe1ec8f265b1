"""Select the files of a folder that are stored, masked or analyzed, by secrets and paths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from codeintel.contracts.languages import language_of_path
from codeintel.contracts.secret_tokens import FORMATS, is_varied, private_keys, token_rule, tokens
from codeintel.contracts.workspaces.paths import REASONS
from codeintel.contracts.workspaces.records import SkippedFile

MASK = "*"
_MASKED = re.compile(r"[A-Za-z0-9+/=_.-]")
_SAMPLES = (".example", ".sample", ".template")
_DOTENV = re.compile(r"\.env(?:[._-].*|rc)?", re.DOTALL)
_SSH_KEY = re.compile(r"id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?")

_KEY_RUN = re.compile(r"[A-Za-z0-9+/]{32,100}+")
_KEY_CHARACTERS = 60
"""The minimum number of Base64 characters. The shortest kind of key has 64."""
_KEY_REACH = 1_000
"""A key has that many Base64 characters within this distance from its first line, including
headers.
"""
_KEY_LONGEST = 20_000
"""The maximum number of masked characters of a key without a last line."""

# A literal value, not a reference such as `${NPM_TOKEN}`.
_VALUE = r"['\"]?(?![$<{%*]|x{3}|X{3}|your|YOUR|changeme|null\b|none\b)[^\s'\"]{4}"
_IN_URL = r"://[^\s:/@'\"]{0,100}+:(?![$<{%*])[^\s/@'\"]{3,200}+@"
_REGISTRY = re.compile(
    r"(?:_authToken|_auth|_password|npmAuthToken|npmAuthIdent|password|token)['\"]?"
    rf"[ \t]{{0,20}}+[=:][ \t]{{0,20}}+{_VALUE}|{_IN_URL}"
)
_NETRC = re.compile(rf"\bpassword\s{{1,20}}+{_VALUE}")
_GIT = re.compile(_IN_URL)
_PGPASS = re.compile(rf"(?m)^[^#\s:]{{1,255}}+(?::[^:\r\n]{{1,255}}+){{3}}:{_VALUE}")
_DOCKER = re.compile(rf"\"(?:auth|identitytoken)\"[ \t]{{0,20}}+:[ \t]{{0,20}}+{_VALUE}")
_AWS = re.compile(rf"aws_secret_access_key[ \t]{{0,20}}+=[ \t]{{0,20}}+{_VALUE}")
_BY_NAME = {
    ".npmrc": ("registry-credentials", _REGISTRY),
    ".yarnrc": ("registry-credentials", _REGISTRY),
    ".yarnrc.yml": ("registry-credentials", _REGISTRY),
    ".pypirc": ("registry-credentials", _REGISTRY),
    "pip.conf": ("registry-credentials", _REGISTRY),
    ".netrc": ("netrc", _NETRC),
    "_netrc": ("netrc", _NETRC),
    ".git-credentials": ("stored-credentials", _GIT),
    ".pgpass": ("stored-credentials", _PGPASS),
    ".dockercfg": ("stored-credentials", _DOCKER),
    ".docker/config.json": ("stored-credentials", _DOCKER),
    ".aws/credentials": ("stored-credentials", _AWS),
    ".cargo/credentials": ("registry-credentials", _REGISTRY),
    ".cargo/credentials.toml": ("registry-credentials", _REGISTRY),
}
"""Rules for file names, and for names with their folders."""
RULES = frozenset(
    {
        "dotenv",
        "private-key",
        *(rule for rule, _ in _BY_NAME.values()),
        *(each.refusal for each in FORMATS if each.refused is not None),
    }
)
"""All rules."""


def secret_rule(path: str, text: str) -> str | None:
    """Return the rule, like `dotenv` or `private-key`, that finds a secret in the file, or None.
    The text is never repeated.
    """
    names = path.lower().split("/")
    name = names[-1]
    if _DOTENV.fullmatch(name) and not name.endswith(_SAMPLES):
        return "dotenv"
    if _SSH_KEY.fullmatch(name) or has_private_key(text):
        return "private-key"
    rule, expression = _BY_NAME.get(name) or _BY_NAME.get("/".join(names[-2:])) or ("", None)
    if expression is not None and expression.search(text):
        return rule
    return token_rule(text)


def secret_name(path: str) -> str:
    """Return the part of a path on which :func:`secret_rule` depends, or an empty text if it
    depends on the content alone.
    """
    names = path.lower().split("/")
    name = names[-1]
    if _DOTENV.fullmatch(name) or _SSH_KEY.fullmatch(name) or name in _BY_NAME:
        return name
    within = "/".join(names[-2:])
    return within if within in _BY_NAME else ""


def has_private_key(text: str) -> bool:
    """Return whether the text contains a private key, also as a literal of a program or as JSON. A
    header alone does not count.
    """
    return next(private_key_spans(text), None) is not None


def private_key_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of private keys, without their first and last lines."""
    if text.startswith("PuTTY-User-Key-File-"):
        at = text.find("Private-Lines:")
        if at >= 0:
            yield at + len("Private-Lines:"), len(text)
        return
    end = 0
    for begin in private_keys(text):
        if begin.start() < end:
            continue
        end = begin.end() + _KEY_REACH
        footer = text.find("-----END ", begin.end(), end)
        body = text[begin.end() : end if footer < 0 else footer]
        runs = [run for run in _KEY_RUN.findall(body) if is_varied(run)]
        if sum(map(len, runs)) >= _KEY_CHARACTERS:
            far = text.find("-----END ", begin.end(), begin.end() + _KEY_LONGEST)
            yield begin.end(), far if far >= 0 else min(begin.end() + _KEY_LONGEST, len(text))


class Masked(NamedTuple):
    """A text of the same length and lines without its secrets. `line` is the first secret's line,
    or 0 if no secret has a recognizable format. `is_clean` is true if no rule finds a secret in the
    text or its name any longer.
    """

    text: str
    line: int
    is_clean: bool


def masked(path: str, text: str) -> Masked:
    """Replace each secret with a recognizable format, character by character."""
    spans = sorted(_spans(text))
    pieces, end = [], 0
    for start, stop in spans:
        start = max(start, end)
        pieces += [text[end:start], _MASKED.sub(MASK, text[start:stop])]
        end = max(end, stop)
    made = "".join([*pieces, text[end:]])
    line = len(re.findall(r"\r\n|\n|\r", text[: spans[0][0]])) + 1 if spans else 0
    return Masked(made, line, secret_rule(path, made) is None)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for _, match in tokens(text, strict=True):
        yield match.span(match.lastindex or 0)
    yield from private_key_spans(text)


UNKNOWN = "unknown language"
MINIFIED = "minified"
VENDORED = "others' code, vendored"
GENERATED = "generated"
LOCKED = "a lock file"

_VENDORED = frozenset({"node_modules", "bower_components", "vendor", "site-packages", ".venv"})
_MINIFIED = re.compile(r"[.-]min\.(?:js|mjs|cjs|css)$|\.bundle\.js$")
_GENERATED = re.compile(
    r"(?:_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h)|_pb\.(?:js|d\.ts)|\.g\.dart|\.designer\.cs"
    r"|\.generated\.\w+|\.map)$"
)
_LOCKS = frozenset(
    {
        "package-lock.json",
        "npm-shrinkwrap.json",
        "pnpm-lock.yaml",
        "bun.lock",
        "deno.lock",
        "composer.lock",
        "cargo.lock",
        "gemfile.lock",
        "poetry.lock",
        "pdm.lock",
        "uv.lock",
        "pipfile.lock",
        "yarn.lock",
        "go.sum",
        "packages.lock.json",
    }
)
UNSENT_SIZE = "too-large"
UNSENT_READING = frozenset({"unreadable", "not-utf-8", "binary"})
UNSENT_NAMES = REASONS - {"git-folder", "reserved"}
"""Reasons for which a client omits a file without a check (docs/editor-clients.md)."""
_UNSENT = UNSENT_READING | UNSENT_NAMES | {UNSENT_SIZE}


def most_telling_first(skipped: Iterable[SkippedFile]) -> list[SkippedFile]:
    """Sort files first that make a report fail or incomplete, because a long list is truncated."""
    telling: list[SkippedFile] = []
    others: list[SkippedFile] = []
    for each in skipped:
        (telling if is_telling(each) else others).append(each)
    return telling + others


def is_telling(skipped: SkippedFile) -> bool:
    """Return whether a report without this file fails or is incomplete."""
    return skipped.reason in RULES or (skipped.reason in _UNSENT and is_for_analysis(skipped.path))


def is_for_analysis(path: str) -> bool:
    """Return whether a stored file of this path is analyzed."""
    return reason_against(path, language_of_path(path)) is None


def vendored_folder(path: str) -> str | None:
    """Return the outermost folder of the path whose name marks other people's code, or None."""
    parts = path.split("/")
    for depth, name in enumerate(parts[:-1], 1):
        if name.lower() in _VENDORED:
            return "/".join(parts[:depth])
    return None


def reason_against(path: str, language: str | None) -> str | None:
    """Return why a file is not analyzed, according to its path and language."""
    parts = PurePosixPath(path.lower()).parts
    name = parts[-1] if parts else ""
    if not _VENDORED.isdisjoint(parts[:-1]):
        return VENDORED
    if name in _LOCKS:
        return LOCKED
    if _MINIFIED.search(name):
        return MINIFIED
    if _GENERATED.search(name):
        return GENERATED
    return UNKNOWN if language is None else None
