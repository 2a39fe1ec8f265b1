"""The requests that a client sends to a service to scan a repository, and their answers."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from codeintel.base.timestamps import Moment
from codeintel.contracts.analysis import Model
from codeintel.contracts.scans.records import (
    MAX_SCAN_FILES,
    Cause,
    Count,
    ExcludedFile,
    FoundFile,
    Sha256,
)

MAX_LEFT_OUT = 10_000
MAX_NAME_CHARACTERS = 255
MAX_CONTENTS_BYTES = 20 * 1024 * 1024
"""The maximum size of a request with contents."""
MAX_LISTING_BYTES = 24 * 1024 * 1024
"""The maximum size of a request with the list of files."""
MAX_MORE = 10_000_000
"""The maximum number of excluded files in a count of those that are not listed."""
More = Annotated[int, Meta(ge=0, le=MAX_MORE)]
_CAUSES = {"propertyNames": {"type": "string", "enum": [cause.value for cause in Cause]}}


class ScanRequest(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The files of a repository to scan.

    `files` has each path once. `leftOut` lists files that the client excludes, for the summary. If
    there are more than it has room for, `moreCauses` counts the others by their cause, and
    `moreSkipped` those without one. `name` is shown in the list of runs.
    """

    files: Annotated[tuple[FoundFile, ...], Meta(min_length=1, max_length=MAX_SCAN_FILES)]
    model: Annotated[
        Model, Meta(description="The depth of the analysis. The price is the same for both.")
    ] = Model.FLASH
    name: Annotated[
        str,
        Meta(max_length=MAX_NAME_CHARACTERS, description="The repository, for the list of runs."),
    ] = ""
    left_out: Annotated[tuple[ExcludedFile, ...], Meta(max_length=MAX_LEFT_OUT)] = ()
    more_causes: Annotated[dict[Cause, More], Meta(extra_json_schema=_CAUSES)] = {}
    more_skipped: More = 0


class ScanTicket(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A scan that waits for contents, or that can start.

    `missing` are the digests of the contents to send, in the order of the files. The service has
    the results of all others. `price` is in credits and is reserved at the start. A scan that has
    not started by `expiresAt` is deleted with its contents.
    """

    run_id: str
    missing: tuple[Sha256, ...]
    price: Count
    expires_at: Moment


class ScanContents(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Contents of files, as UTF-8 text with the original line ends.

    The service finds their files by their SHA-256 digests.
    """

    contents: Annotated[tuple[str, ...], Meta(min_length=1, max_length=10_000)]


class StoredContents(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The number of contents that are still missing."""

    missing: Count
