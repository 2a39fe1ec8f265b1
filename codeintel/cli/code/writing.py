"""Writing results into files."""

from __future__ import annotations

import codecs
import os
import tempfile
from pathlib import Path

from codeintel.contracts.languages import languages
from codeintel.engine.equivalence.readable import DIALECTS
from codeintel.server.opening import Failure


def sibling(path: Path, language: str) -> Path:
    """The file beside another that has the usual extension of a language.

    :raises Failure: if nobody knows one.
    """
    if language in DIALECTS:
        return path.with_suffix(f".{language}.sql")
    for known in languages():
        if known.name == language and known.extensions:
            return path.with_suffix(f".{known.extensions[0]}")
    raise Failure(f"The extension of {language} files is not known: print the result instead.")


def replace_file(path: Path, code: str, *, like: bytes) -> None:
    """Put code into a file, all or nothing, with the permissions that the file has.

    :param like: the bytes that the code comes from: a byte order mark of theirs is kept.
    :raises Failure: if it cannot be written; the file is as it was.
    """
    mark = codecs.BOM_UTF8 if like.startswith(codecs.BOM_UTF8) else b""
    target = path.resolve()  # of a link, what it leads to
    try:
        mode = target.stat().st_mode if target.exists() else None
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(mark + code.encode())
            Path(name).chmod(mode & 0o7777 if mode is not None else 0o666 & ~_umask())
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink()
            raise
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}.") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
