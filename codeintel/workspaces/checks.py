"""Decide which files of a push are accepted: their paths, sizes and digests, and the secret
scan.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from codeintel.platform.workers.text_functions import (
    FILE_CHARACTERS,
    TextTimeoutError,
    TextWorkError,
)
from codeintel.platform.workers.text_pool import TextPool
from codeintel.workspaces.secret_scan import SECRET_SCAN, in_parts

SHOWN = 100
"""Maximum number of paths that an error lists."""
TOO_LARGE = "too-large"


Scan = Callable[[Mapping[str, str]], Mapping[str, str]]
"""Maps texts by path to the rules by which they hold secrets, or empty texts, by path."""
NOT_SCANNED = "not-scanned"


class Blob(NamedTuple):
    """The digest of a file's content. `size` is in bytes."""

    sha256: str
    size: int


class Incoming(NamedTuple):
    """The accepted files by path, their texts by digest, and the files with secrets."""

    files: dict[str, Blob]
    texts: dict[str, str]
    secrets: tuple[SkippedFile, ...]


def check(files: Mapping[str, str]) -> None:
    """Reject files whose paths or sizes cannot be stored.

    :raises ServiceError: `invalid_request` or `payload_too_large`, with `details.files`.
    """
    # Before every check of paths, because a body has room for a million paths.
    check_count(len(files))
    if problems := _problems(files):
        raise refusal(problems)


def take(files: Mapping[str, str], known: Mapping[str, Blob], scan: Scan) -> Incoming:
    """Compute the digests of files, and exclude files with secrets.

    :param known: files that are already stored, which are not scanned again.
    :raises ServiceError: if a file could not be scanned; no file is stored then.
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
    """Return the digest of a file's text."""
    data = text.encode()
    return Blob(hashlib.sha256(data).hexdigest(), len(data))


def in_turns(files: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Yield the files one by one, with pauses in which other greenlets run."""
    return letting_others_run(files.items())


def check_count(count: int) -> None:
    """Reject too many files.

    :raises ServiceError: `payload_too_large` for too many files.
    """
    if count > MAX_FILES:
        raise _beyond(f"A workspace has at most {MAX_FILES:,} files", MAX_FILES, count, "files")


def check_total(files: Mapping[str, Blob]) -> None:
    """Reject too many files, or too many bytes in total.

    :raises ServiceError: `payload_too_large`.
    """
    check_count(len(files))
    total = sum(blob.size for blob in files.values())
    if total > MAX_TOTAL_BYTES:
        told = f"A workspace has at most {MAX_TOTAL_BYTES:,} bytes in total"
        raise _beyond(told, MAX_TOTAL_BYTES, total, "bytes")


def refusal(problems: Sequence[SkippedFile]) -> ServiceError:
    """Return the error that lists all files that cannot be stored, with the reasons.

    Nothing is stored.
    """
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
        f"Nothing was stored, because {what} be stored. `details.files` lists files and reasons.",
        details=details,
    )


def _problems(files: Mapping[str, str]) -> list[SkippedFile]:
    found = path_problems(letting_others_run(files))
    named = {problem.path for problem in found}
    for path, text in in_turns(files):
        # A character has one to four bytes, so most texts need not be encoded.
        if len(text) * 4 <= MAX_FILE_BYTES or path in named:
            continue
        if len(text) > MAX_FILE_BYTES or len(text.encode()) > MAX_FILE_BYTES:
            found.append(SkippedFile(path, TOO_LARGE))
    return found


def _beyond(told: str, limit: int, actual: int, unit: str) -> ServiceError:
    return ServiceError(
        ErrorCode.PAYLOAD_TOO_LARGE,
        f"{told}, but this has {actual:,}. Nothing was stored. Exclude generated files.",
        details={"limit": limit, "actual": actual, "unit": unit},
    )


def scan(texts: TextPool, account_id: str, files: Mapping[str, str]) -> Mapping[str, str]:
    """Return the rules by which files hold secrets, or empty texts, by path.

    :raises ServiceError: naming the file that could not be scanned in time, or at which the scan
        failed. Files that were not scanned must not be stored.
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
        "Nothing was stored, because the search for secrets stopped at the file in "
        "`details.files`. Push again. If that is also refused, exclude the file.",
        details={"path": "files", "files": [{"path": path, "reason": NOT_SCANNED}], "total": 1},
        retry_after=5,
    )
