"""Paths of the disk that a workspace comes from: none is stored or shown. Pure.

A path of a workspace begins with `/` too. So in running text only those are told that begin at a
folder of a system's root, such as `/home` or `/opt`; where paths of a workspace stand, only those
below a folder of people's files; and a value that is no path at all, such as a branch's name, is
one as soon as it begins like one (:func:`is_local_path`).
"""

from __future__ import annotations

import re

from codeintel.contracts.workspaces.records import SkippedFile

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
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


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
        or _CONTROL.search(text)
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
