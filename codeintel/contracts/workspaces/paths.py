"""Paths of files in a workspace: which are taken, and why others are not. Pure.

What is taken can be written below any folder of a common file system and be read back from there
under the same path: below it, and never beside another file or into a folder that a tool would
obey. Each path that is not taken has one of these reasons:

- `no-leading-slash`: it does not begin with `/`;
- `empty-name`: two slashes in a row, one at the end, or only invisible characters between two;
- `dot-name`: a component is `.` or `..`;
- `backslash`, `colon`: Windows would read a separator, a drive or a stream of another file;
- `control-character`: NUL, a line break or another one;
- `not-unicode`: half a character;
- `not-nfc`: not in normal form C, so that a second spelling would look the same;
- `path-too-long`, `name-too-long`: more than 1,000 bytes, or 255 in one component;
- `git-folder`: a component that is, or that Windows or macOS would take for, `.git`;
- `reserved`: below `/.codeintel/`, where only the service writes;
- `collision`: a file system without case, or one that passes over invisible characters, would take
  it for another path of the set, or for a folder of one.

Invisible characters and those that turn the text around them are taken, since there are files that
are called so: who shows a path must make them visible."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from codeintel.contracts.workspaces.records import MAX_PATH_BYTES, SkippedFile

BRIDGE_PATH = "/.codeintel/local-ide-bridge.json"
MAX_NAME_BYTES = 255
"""Of one component: more than that common file systems do not take."""
COLLISION = "collision"

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# What HFS+ passes over when it compares names, and the other marks that set a direction.
_INVISIBLE = re.compile(r"[\u061c\u200c-\u200f\u202a-\u202e\u2066-\u2069\u206a-\u206f\ufeff]")
_HALF = re.compile(r"[\ud800-\udfff]")
# With the dots and spaces at its end that Windows drops.
_GIT = re.compile(r"(?:\A|/)(?:\.git|git~[0-9]+)[. ]*(?:/|\Z)")
_NAME = re.compile(r"[^/\\]+")
_OWN = re.compile(r"\.codeintel|codein~[0-9]+")
"""With the short names that Windows makes for them."""


def path_problems(paths: Iterable[str]) -> list[SkippedFile]:
    """The paths that cannot be stored, each with the reason, in the order given; none for a good
    set. Two that a file system without case would take for one are both named. A path that is given
    twice counts once."""
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
    """Of paths that are good by themselves those that collide."""
    keys = {path: _key(path) for path in paths}
    colliding = _colliding(keys.values())
    return [SkippedFile(path, COLLISION) for path, key in keys.items() if key in colliding]


def is_reserved(path: str) -> bool:
    """Whether only the service writes there: in any case and normal form."""
    names = (match[0] for match in _NAME.finditer(path))
    first = next((name for name in names if name != "."), "")
    return _OWN.fullmatch(_folded(first)) is not None


def _problem(path: str) -> str | None:
    """What is wrong with a path by itself."""
    return next((reason for reason, is_wrong in _CHECKS if is_wrong(path)), None)


def _is_too_long(path: str) -> bool:
    return len(path) > MAX_PATH_BYTES or len(path.encode()) > MAX_PATH_BYTES


def _has_long_name(path: str) -> bool:
    return max(map(len, path.encode().split(b"/"))) > MAX_NAME_BYTES


def _is_git(path: str) -> bool:
    return _GIT.search(_key(path)) is not None


# Half characters first: nothing else can be asked of them.
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
"""All reasons that there are."""


def _folded(name: str) -> str:
    """A component as the most careless of file systems compares it: Windows drops dots and spaces
    at its end and looks for what stands before a colon."""
    return _key(name.partition(":")[0]).rstrip(". ")


def _key(path: str) -> str:
    """The same for all paths that differ in case, normal form and invisible characters only."""
    if path.isascii():
        return path.lower()
    path = _INVISIBLE.sub("", path)
    once = unicodedata.normalize("NFD", path.casefold())
    return unicodedata.normalize("NFC", once.casefold())


def _colliding(keys: Iterable[str]) -> set[str]:
    """Those that are there more than once, or that another one is a folder of, and that one."""
    found = set[str]()
    above = None
    # So that what lies in a folder follows it at once: nothing sorts before NUL, which is in none.
    for key in sorted(key.replace("/", "\0") for key in keys):
        if above is not None and (key == above or key.startswith(f"{above}\0")):
            found.update((above, key))
        else:
            above = key
    return {key.replace("\0", "/") for key in found}


def _shown(path: str) -> str:
    """A path as an answer can name it: no longer than one may be, and in whole characters."""
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
# To the last separator of the line or up to a quote, and on to the next space: names on these disks
# have spaces.
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
    """Whether a value begins like an absolute path: of POSIX, with a drive, of a network share, of
    somebody's home, or as a `file:` URL. Not for paths of a workspace, which would pass for one."""
    return _BEGINS.match(_decoded(text).strip(" \t\"'<([])>")) is not None


def without_local_paths(text: str) -> str:
    """The text with `…` for each absolute path of a disk in it; empty where there is nothing
    else."""
    return _without(_IN_TEXT, text)


def label(text: str) -> str:
    """A name of something, such as a branch, as it may be stored: empty where it is a path."""
    return "" if is_local_path(text) else without_local_paths(text)


def without_local_path(skipped: SkippedFile) -> SkippedFile:
    """What a client has left out, with `…` where it told a path of its disk."""
    return SkippedFile(
        path=_without(_IN_PATHS, skipped.path) or LEFT_OUT,
        reason=without_local_paths(skipped.reason) or LEFT_OUT,
        line=skipped.line,
    )


def is_folder_name(text: str) -> bool:
    """Whether it names a folder and is no path: no separator, no drive, not `..`. The empty name,
    which says nothing, passes."""
    return not (
        text in {".", ".."}
        or "/" in text
        or "\\" in text
        or _DRIVE.match(text)
        or _CONTROLS.search(text)
    )


def _without(paths: re.Pattern[str], text: str) -> str:
    if paths.search(text) is None:
        # Percent-encoded it cannot be cut out: what stands around it would be decoded too.
        return "" if _ENCODED.search(text) and paths.search(_decoded(text)) else text
    rest = paths.sub(LEFT_OUT, text)
    return rest if rest.strip(f"{LEFT_OUT} \t\"'") else ""


def _decoded(text: str) -> str:
    """With separators and colons for their percent-encodings, as URLs have them."""
    characters = {"%2f": "/", "%5c": "\\", "%3a": ":"}
    return _ENCODED.sub(lambda match: characters[match[0].lower()], text)
