"""A workspace as an archive that a service sends, which may mean harm."""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib

from codeintel.contracts.workspaces.records import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES

MAX_ARCHIVE_BYTES = 32 * 1024 * 1024
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""Those that the library unpacks no further than it is asked to; the service uses no other."""
_BAD = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)
"""What the library raises for archives that are broken or made to do harm."""


class BadContent(Exception):  # noqa: N818 - says what happened
    """The service sent another file than it had listed."""


def unpacked(data: bytes) -> dict[str, bytes]:
    """All files of an archive by the SHA-256 of their bytes, whatever the archive calls them. Never
    more than a workspace may have.

    :raises BadContent: if it cannot be read, or is too large.
    """
    found: dict[str, bytes] = {}
    left = MAX_TOTAL_BYTES + MAX_FILE_BYTES  # the bridge file is in it, too
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.filelist) > 2 * MAX_FILES:
                raise BadContent("The service sent an archive of more files than it had listed.")
            for info in archive.filelist:
                if info.compress_type not in _METHODS:
                    raise BadContent("The service sent an archive that cannot be read.")
                with archive.open(info) as stream:
                    content = stream.read(min(left, MAX_FILE_BYTES) + 1)
                left -= len(content)
                if left < 0:
                    raise BadContent("The service sent an archive that is far too large.")
                found[hashlib.sha256(content).hexdigest()] = content
    except _BAD:
        raise BadContent("The service sent an archive that cannot be read.") from None
    return found
