"""The search of a push for secrets, by worker processes."""

from __future__ import annotations

from collections.abc import Mapping

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts.workspaces.records import SkippedFile
from codeintel.platform.workers.text_functions import (
    FILE_CHARACTERS,
    TextTimeoutError,
    TextWorkError,
)
from codeintel.platform.workers.text_pool import TextPool
from codeintel.workspaces.checks import refusal
from codeintel.workspaces.text.secret_scan import SECRET_SCAN, in_parts

NOT_SCANNED = "not-scanned"


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
