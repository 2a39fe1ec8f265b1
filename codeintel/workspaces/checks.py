"""Which files of a push are taken: their paths, sizes and digests, and the search for secrets."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.greenlets import letting_others_run
from codeintel.contracts.workspaces.paths import path_problems
from codeintel.contracts.workspaces.records import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_TOTAL_BYTES,
    SkippedFile,
)
from codeintel.contracts.workspaces.selection import Masked, masked, secret_rule
from codeintel.platform.workers.text_functions import (
    FILE_CHARACTERS,
    TextFunction,
    TextTimeoutError,
    TextWorkError,
)
from codeintel.platform.workers.text_pool import TextPool

SHOWN = 100
"""Of the paths that a refusal names."""
TOO_LARGE = "too-large"


Scan = Callable[[Mapping[str, str]], Mapping[str, str]]
"""From texts by path to the rules by which they hold secrets, by path; empty for none."""
PART_CHARACTERS = 1024 * 1024
"""Of the files that are sent at once: two of the longest fit a frame, whatever their characters."""
Files = list[tuple[str, str]]
"""Paths with their texts."""
NOT_SCANNED = "not-scanned"


class Blob(NamedTuple):
    """What stands in a file, by its digest. `size` is in bytes."""

    sha256: str
    size: int


class Incoming(NamedTuple):
    """The files that are taken, by path; their texts, by digest; and those that hold secrets."""

    files: dict[str, Blob]
    texts: dict[str, str]
    secrets: tuple[SkippedFile, ...]


def check(files: Mapping[str, str]) -> None:
    """Refuse files whose paths or sizes cannot be stored.

    :raises ServiceError: `invalid_request` or `payload_too_large`, with `details.files`.
    """
    # Before all that looks at each path: a body has room for a million.
    check_count(len(files))
    if problems := _problems(files):
        raise refusal(problems)


def take(files: Mapping[str, str], known: Mapping[str, Blob], scan: Scan) -> Incoming:
    """Digest files, and leave out those that hold secrets.

    :param known: files that are stored already: they are not searched for secrets once more.
    :raises ServiceError: if a file could not be searched: none is stored then.
    """
    blobs = {path: blob_of(text) for path, text in in_turns(files)}
    unknown = {path: files[path] for path, blob in blobs.items() if known.get(path) != blob}
    rules = scan(unknown)
    taken: dict[str, Blob] = {}
    texts: dict[str, str] = {}
    secrets = []
    for path, blob in letting_others_run(blobs.items()):
        if path in unknown and rules[path]:
            secrets.append(SkippedFile(path, rules[path]))
            continue
        taken[path] = blob
        texts[blob.sha256] = files[path]
    return Incoming(taken, texts, tuple(secrets))


def blob_of(text: str) -> Blob:
    """The digest of a file's text."""
    data = text.encode()
    return Blob(hashlib.sha256(data).hexdigest(), len(data))


def in_turns(files: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """The files one by one, with pauses in which other greenlets run."""
    return letting_others_run(files.items())


def check_count(count: int) -> None:
    """:raises ServiceError: `payload_too_large` for too many files."""
    if count > MAX_FILES:
        raise _beyond(f"A workspace has at most {MAX_FILES:,} files", MAX_FILES, count, "files")


def check_total(files: Mapping[str, Blob]) -> None:
    """:raises ServiceError: `payload_too_large` for too many files, or too many bytes in all."""
    check_count(len(files))
    total = sum(blob.size for blob in files.values())
    if total > MAX_TOTAL_BYTES:
        told = f"A workspace has at most {MAX_TOTAL_BYTES:,} bytes in all"
        raise _beyond(told, MAX_TOTAL_BYTES, total, "bytes")


def refusal(problems: Sequence[SkippedFile]) -> ServiceError:
    """All files that cannot be stored, with the reasons; nothing is stored."""
    is_about_size = all(problem.reason == TOO_LARGE for problem in problems)
    code = ErrorCode.PAYLOAD_TOO_LARGE if is_about_size else ErrorCode.INVALID_REQUEST
    details: dict[str, Any] = {
        "path": "files",
        "files": [{"path": each.path, "reason": each.reason} for each in problems[:SHOWN]],
        "total": len(problems),
    }
    if is_about_size:
        details["limit"] = MAX_FILE_BYTES
    what = "1 file cannot" if len(problems) == 1 else f"{len(problems):,} files cannot"
    return ServiceError(
        code,
        f"Nothing is stored: {what} be, `details.files` says which and why. Leave them out.",
        details=details,
    )


def _problems(files: Mapping[str, str]) -> list[SkippedFile]:
    found = path_problems(letting_others_run(files))
    named = {problem.path for problem in found}
    for path, text in in_turns(files):
        # A character has one byte at least and four at most: most texts need not be encoded.
        if len(text) * 4 <= MAX_FILE_BYTES or path in named:
            continue
        if len(text) > MAX_FILE_BYTES or len(text.encode()) > MAX_FILE_BYTES:
            found.append(SkippedFile(path, TOO_LARGE))
    return found


def _beyond(told: str, limit: int, actual: int, unit: str) -> ServiceError:
    return ServiceError(
        ErrorCode.PAYLOAD_TOO_LARGE,
        f"{told}, not {actual:,}: leave out what others can make again. Nothing is stored.",
        details={"limit": limit, "actual": actual, "unit": unit},
    )


def scanned(parts: Iterable[Files]) -> Iterator[str]:
    """For each file the rule by which it holds a secret, empty where it holds none."""
    for part in parts:
        for path, text in part:
            yield secret_rule(path, text) or ""


SECRET_SCAN = TextFunction("secret_scan", scanned, Files, str, seconds=5.0, most_seconds=60.0)


def masked_files(parts: Iterable[Files]) -> Iterator[Masked]:
    """Each file's text without its secrets."""
    for part in parts:
        for path, text in part:
            yield masked(path, text)


MASKING = TextFunction(
    "masking", masked_files, Files, Masked, most_bytes=MAX_TOTAL_BYTES + MAX_TOTAL_BYTES // 4
)


def in_parts(files: Iterable[tuple[str, str]]) -> Iterator[Files]:
    """Files in parts of about a megabyte."""
    part: Files = []
    size = 0
    for path, text in files:
        part.append((path, text))
        size += len(text)
        if size >= PART_CHARACTERS:
            yield part
            part, size = [], 0
    if part:
        yield part


def scan(texts: TextPool, account_id: str, files: Mapping[str, str]) -> Mapping[str, str]:
    """The rules by which files hold secrets, by path; empty for none.

    :raises ServiceError: naming the file that could not be searched in time, or at which the search
        broke off. What was not searched must not be stored.
    """
    size = sum(len(text) + FILE_CHARACTERS for text in files.values())
    paths, rules = list(files), list[str]()
    try:
        rules.extend(texts.run(account_id, SECRET_SCAN, in_parts(files.items()), size))
    except TextTimeoutError:
        raise refusal([SkippedFile(paths[len(rules)], NOT_SCANNED)]) from None
    except TextWorkError:
        raise _broken_off(paths[len(rules)]) from None
    if len(rules) != len(paths):
        raise _broken_off(paths[min(len(rules), len(paths) - 1)])
    return dict(zip(paths, rules, strict=True))


def _broken_off(path: str) -> ServiceError:
    return ServiceError(
        ErrorCode.OVERLOADED,
        "Nothing is stored: the search for secrets broke off at the file in `details.files`. Send "
        "the push again; if it is refused again, leave that file out.",
        details={"path": "files", "files": [{"path": path, "reason": NOT_SCANNED}], "total": 1},
        retry_after=5,
    )
