"""Paths of files in a workspace: which are accepted, and why others are rejected. Pure.

An accepted path can be written below a folder of any common file system and read back under the
same name. It never overwrites another file, and never leads to a folder that configures a tool. A
rejected path has one of these reasons:

- `no-leading-slash`: it does not begin with `/`;
- `empty-name`: two slashes in a row, one at the end, or only invisible characters between two;
- `dot-name`: a component is `.` or `..`;
- `backslash`, `colon`: Windows would read a separator, a drive or a stream of another file;
- `control-character`: NUL, a line break or another one;
- `not-unicode`: half a character;
- `not-nfc`: not in normal form C, so that a second spelling would look the same;
- `path-too-long`, `name-too-long`: more than 1,000 bytes, or 255 in one component;
- `git-folder`: a component that is `.git`, or that Windows or macOS would treat as `.git`;
- `reserved`: below `/.codeintel/`, where only the service writes;
- `collision`: it equals another path of the set, or a folder of one, on a file system that ignores
  case or invisible characters.

Invisible and direction-changing characters are accepted, since real files have them. Code that
displays a path must make them visible.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from codeintel.contracts.workspaces.records import MAX_PATH_BYTES, SkippedFile

BRIDGE_PATH = "/.codeintel/local-ide-bridge.json"
MAX_NAME_BYTES = 255
"""The limit for a component. Common file systems have the same."""
COLLISION = "collision"

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# Characters that HFS+ ignores when it compares names, and other direction marks.
_INVISIBLE = re.compile(r"[\u061c\u200c-\u200f\u202a-\u202e\u2066-\u2069\u206a-\u206f\ufeff]")
_HALF = re.compile(r"[\ud800-\udfff]")
# Windows drops dots and spaces at the end of a name.
_GIT = re.compile(r"(?:\A|/)(?:\.git|git~[0-9]+)[. ]*(?:/|\Z)")
_NAME = re.compile(r"[^/\\]+")
_OWN = re.compile(r"\.codeintel|codein~[0-9]+")
"""Includes the short names that Windows creates for them."""


def path_problems(paths: Iterable[str]) -> list[SkippedFile]:
    """Return the paths that cannot be stored with their reasons, in the given order. Paths that are
    equal on a case-insensitive file system are all named. A path that is given twice counts once.
    """
    reasons: dict[str, str | None] = {}
    keys: dict[str, str] = {}
    for path in paths:
        reasons[path] = _problem(path)
        if reasons[path] is None:
            keys[path] = _key(path)
    colliding = _colliding(keys.values())
    found = []
    for path, reason in reasons.items():
        if reason is None and keys[path] in colliding:
            reason = COLLISION
        if reason is not None:
            found.append(SkippedFile(_shown(path), reason))
    return found


def collisions(paths: Iterable[str]) -> list[SkippedFile]:
    """Return the paths that collide, from paths that are valid on their own."""
    keys = {path: _key(path) for path in paths}
    colliding = _colliding(keys.values())
    return [SkippedFile(path, COLLISION) for path, key in keys.items() if key in colliding]


def is_reserved(path: str) -> bool:
    """Return whether only the service writes there, in any case and normal form."""
    names = (match[0] for match in _NAME.finditer(path))
    first = next((name for name in names if name != "."), "")
    return _OWN.fullmatch(_folded(first)) is not None


def _problem(path: str) -> str | None:
    """Return the reason why a path is invalid on its own, or None."""
    return next((reason for reason, is_wrong in _CHECKS if is_wrong(path)), None)


def _is_too_long(path: str) -> bool:
    return len(path) > MAX_PATH_BYTES or len(path.encode()) > MAX_PATH_BYTES


def _has_long_name(path: str) -> bool:
    return max(map(len, path.encode().split(b"/"))) > MAX_NAME_BYTES


def _is_git(path: str) -> bool:
    return _GIT.search(_key(path)) is not None


# Check half characters first: the other checks need whole ones.
_CHECKS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("not-unicode", lambda path: _HALF.search(path) is not None),
    ("path-too-long", _is_too_long),
    ("control-character", lambda path: _CONTROL.search(path) is not None),
    ("backslash", lambda path: "\\" in path),
    ("colon", lambda path: ":" in path),
    ("no-leading-slash", lambda path: not path.startswith("/")),
    ("empty-name", lambda path: "" in _INVISIBLE.sub("", path)[1:].split("/")),
    ("dot-name", lambda path: not {".", ".."}.isdisjoint(path.split("/"))),
    ("not-nfc", lambda path: not unicodedata.is_normalized("NFC", path)),
    ("name-too-long", _has_long_name),
    ("git-folder", _is_git),
    ("reserved", is_reserved),
)
REASONS = frozenset({COLLISION, *(reason for reason, _ in _CHECKS)})
"""All possible reasons."""


def _folded(name: str) -> str:
    """Fold a component as the most lenient file system does. Windows drops dots and spaces at its
    end and opens the part before a colon.
    """
    return _key(name.partition(":")[0]).rstrip(". ")


def _key(path: str) -> str:
    """Return a key that is equal for paths that differ only in case, normal form and invisible
    characters.
    """
    if path.isascii():
        return path.lower()
    path = _INVISIBLE.sub("", path)
    once = unicodedata.normalize("NFD", path.casefold())
    return unicodedata.normalize("NFC", once.casefold())


def _colliding(keys: Iterable[str]) -> set[str]:
    """Return repeated keys, and both keys of each pair in which one is a folder of the other."""
    found = set[str]()
    above = None
    # Sort the content of a folder directly after it: NUL sorts first and is in no path.
    for key in sorted(key.replace("/", "\0") for key in keys):
        if above is not None and (key == above or key.startswith(f"{above}\0")):
            found.update((above, key))
        else:
            above = key
    return {key.replace("\0", "/") for key in found}


def _shown(path: str) -> str:
    """Shorten a path to the allowed length, in whole characters, for an error message."""
    whole = _HALF.sub("\ufffd", path[: MAX_PATH_BYTES + 1])
    return whole if len(whole) <= MAX_PATH_BYTES else f"{whole[: MAX_PATH_BYTES - 1]}…"


LEFT_OUT = "…"

_SYSTEM = (
    "Applications|Library|System|Volumes|builds|cygdrive|etc|export|github/workspace|media|mnt|nix"
    "|opt|private|proc|root|run|snap|srv|tmp|usr|var|workspaces"
)
_PEOPLE = (
    r"(?:export/|usr/|var/)?home/[^/.]+(?:/|\Z)|(?:home|Users)/[^/]+/|(?:[A-Za-z]/)?Users/[^/.]+(?:/|\Z)|Volumes/[^/]+/"
    "|cygdrive/[A-Za-z]/|github/workspace/|media/[^/]+/[^/]+/|mnt/[A-Za-z]/|private/(?:tmp|var)/"
    "|root/|tmp/|var/(?:folders|tmp)/|workspaces/[^/]+/"
)
# Up to the last separator of the line or a quote, and on to the next space, because names on these
# disks contain spaces.
_REST = r"(?:[^\r\n\"'`<>|/\\]{0,255}+[/\\]){0,100}[^\s\"'`<>|]{0,255}+"
_WINDOWS_AND_URLS = (
    r"(?i:\bfile:)[^\s\"'`<>|]{0,4000}+"
    r"|(?i:\b(?:vscode[\w-]{0,20}|wsl|sftp)://)[^\s\"'`<>|]{0,4000}+"
    rf"|(?<![A-Za-z0-9])[A-Za-z]:[\\/]{_REST}"
    rf"|(?<![\w/\\])(?:\\\\|(?<!:)//)[\w.?$-]{_REST}"
    rf"|(?<![\w/\\.~-])~[\w.-]{{0,64}}+[/\\]{_REST}"
)
_IN_TEXT = re.compile(
    rf"{_WINDOWS_AND_URLS}"
    rf"|(?<![\w/\\.~-])/(?:{_SYSTEM}|home|(?:[A-Za-z]/)?Users)(?![\w.-])(?:/{_REST})?+"
)
_IN_PATHS = re.compile(rf"{_WINDOWS_AND_URLS}|\A/(?:{_PEOPLE}){_REST}")
_BEGINS = re.compile(r"(?i)[/\\]|~[\w.-]{0,64}[/\\]|~\Z|[a-z]:(?:[/\\]|\Z)|file:")
_ENCODED = re.compile(r"(?i)%(?:2f|5c|3a)")
_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def is_local_path(text: str) -> bool:
    """Return whether a value begins like an absolute path: of POSIX, with a drive, of a network
    share, of a home folder, or as a `file:` URL. Do not use it for paths of a workspace, which look
    alike.
    """
    return _BEGINS.match(_decoded(text).strip(" \t\"'<([])>")) is not None


def without_local_paths(text: str) -> str:
    """Replace absolute paths of a disk with `…`. Return an empty text if nothing else remains."""
    return _without(_IN_TEXT, text)


def label(text: str) -> str:
    """Return a name, such as a branch, as it may be stored. Empty if it is a path."""
    return "" if is_local_path(text) else without_local_paths(text)


def without_local_path(skipped: SkippedFile) -> SkippedFile:
    """Return an omitted file of a client, with `…` for paths of its disk."""
    return SkippedFile(
        path=_without(_IN_PATHS, skipped.path) or LEFT_OUT,
        reason=without_local_paths(skipped.reason) or LEFT_OUT,
        line=skipped.line,
    )


def is_folder_name(text: str) -> bool:
    """Return whether the text names a folder and is not a path: no separator, no drive, not `..`.
    The empty name passes.
    """
    return not (
        text in {".", ".."}
        or "/" in text
        or "\\" in text
        or _DRIVE.match(text)
        or _CONTROLS.search(text)
    )


def _without(paths: re.Pattern[str], text: str) -> str:
    if paths.search(text) is None:
        # A percent-encoded path cannot be cut out, because the surrounding text would be decoded,
        # too.
        return "" if _ENCODED.search(text) and paths.search(_decoded(text)) else text
    rest = paths.sub(LEFT_OUT, text)
    return rest if rest.strip(f"{LEFT_OUT} \t\"'") else ""


def _decoded(text: str) -> str:
    """Decode percent-encoded separators and colons."""
    characters = {"%2f": "/", "%5c": "\\", "%3a": ":"}
    return _ENCODED.sub(lambda match: characters[match[0].lower()], text)
