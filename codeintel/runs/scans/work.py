"""The work of one scan: look up results, analyze what is missing, and send one result for each
file.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice

from gevent.pool import Pool
from gevent.queue import Queue
from msgspec import UNSET

from codeintel.base.greenlets import Pace
from codeintel.base.logging import describe
from codeintel.contracts.scans.records import Cause, FileResult, FoundFile
from codeintel.platform.workers.gathering import GATHERED
from codeintel.runs.scans.analysis import FAILED
from codeintel.runs.scans.contents import FileAnalysis
from codeintel.runs.scans.pending import PendingResults
from codeintel.runs.scans.results import (
    ContentResult,
    Read,
    ResultKey,
    ResultStore,
    ScanFile,
    decode,
    encode,
    file_result,
    not_analyzed,
)

log = logging.getLogger(__name__)

LOOKED_UP_AT_ONCE = 200
UNREADABLE = "the file could not be read"
NOT_READ = "reading its content failed"
NOT_LOOKED_UP = "reading its stored result failed"
_LASTING = (UNSET, Cause.BUDGET)
"""The causes of results that another try does not improve."""
Done = FileResult | Exception | None
"""A result, the error that ended the work, or None at its end."""


class NotLookedUpError(RuntimeError):
    """Raised instead of the content of a file whose stored result could not be read."""


class FileWork:
    """The work of one scan.

    One greenlet looks up results and starts an analysis for each missing one. Every file gets a
    result, also if reading, analyzing or storing fails.

    :param done: gets the results.
    :param excerpts: whether findings have excerpts of the code.
    """

    def __init__(
        self,
        analysis: FileAnalysis,
        results: ResultStore,
        done: Queue[Done],
        *,
        excerpts: bool,
    ) -> None:
        self._analysis = analysis
        self._results = PendingResults(results)
        self._done = done
        self._excerpts = excerpts
        self._pool = Pool(GATHERED)
        self._waiting: dict[ResultKey, list[ScanFile]] = {}
        """The files of contents that are being analyzed."""

    def run(self, files: Iterable[ScanFile]) -> None:
        """Send all results, then None, or the error that `files` raised."""
        try:
            remaining = iter(files)
            while group := list(islice(remaining, LOOKED_UP_AT_ONCE)):
                self._start(group)
            self._pool.join()
            self._results.flush()
            self._done.put(None)
        except Exception as error:  # noqa: BLE001 - raised by the reader of the results
            self._done.put(error)

    def stop(self) -> None:
        """End the work, and store the results that it has."""
        self._pool.kill()
        self._results.flush()

    def _start(self, group: Sequence[ScanFile]) -> None:
        keys = [self._analysis.key(file) for file, _ in group]
        try:
            known = self._known(keys)
        except Exception as error:  # noqa: BLE001 - contents that were sent can be analyzed
            log.error("stored results of a scan were not read: %s", describe(error))
            known = {}
            group = [(file, partial(_content_at_least, read)) for file, read in group]
        pace = Pace()
        for key, (file, read) in zip(keys, group, strict=True):
            content = known.get(key)
            if content is not None:
                self._send_known(file, content, read)
            elif key in self._waiting:
                self._waiting[key].append((file, read))
            else:
                self._waiting[key] = [(file, read)]
                self._pool.spawn(self._one, key)
            pace.pause()

    def _known(self, keys: Sequence[ResultKey]) -> dict[ResultKey, ContentResult]:
        """Return the results that are stored or will be."""
        decoded = ((key, decode(data)) for key, data in self._results.get(keys).items())
        return {key: content for key, content in decoded if content is not None}

    def _one(self, key: ResultKey) -> None:
        """Analyze a content, and send the results of all files that have it."""
        waiting = self._waiting[key]
        content, text = None, ""
        while content is None and waiting:
            file, read = waiting.pop(0)
            found = self._text(file, read)
            if found is not None:
                text = found
                content = self._content(key, file, text)
                self._send(file, content, text, cached=False)
        del self._waiting[key]
        if content is not None:
            for file, _ in waiting:
                self._send(file, content, text, cached=False)

    def _content(self, key: ResultKey, file: FoundFile, text: str) -> ContentResult:
        try:
            content = self._analysis.content(file, text)
            if content.cause in _LASTING:
                self._results.add(key, encode(content))
        except Exception as error:  # noqa: BLE001 - every file gets a result
            log.error("a file was not analyzed: %s", describe(error))
            return ContentResult(lines=0, unchecked=(FAILED,), cause=Cause.CRASH)
        return content

    def _send_known(self, file: FoundFile, content: ContentResult, read: Read) -> None:
        """Send a result of an earlier scan."""
        text: str | None = ""
        if content.findings and self._excerpts:
            text = self._text(file, read)
        if text is not None:
            self._send(file, content, text, cached=True)

    def _send(self, file: FoundFile, content: ContentResult, text: str, *, cached: bool) -> None:
        try:
            result = file_result(file, content, text if self._excerpts else None, cached=cached)
        except Exception as error:  # noqa: BLE001 - every file gets a result
            log.error("the result of a file was not made: %s", describe(error))
            result = not_analyzed(file, Cause.CRASH, FAILED)
        self._done.put(result)

    def _text(self, file: FoundFile, read: Read) -> str | None:
        """Return the content of a file. If that is impossible, send the reason and return None."""
        try:
            return read()
        except (OSError, ValueError) as error:
            self._done.put(not_analyzed(file, Cause.UNREADABLE, _reason(error)))
        except NotLookedUpError:
            self._done.put(not_analyzed(file, Cause.CRASH, NOT_LOOKED_UP))
        except Exception as error:  # noqa: BLE001 - such as an error of the database
            log.error("the content of a file was not read: %s", describe(error))
            self._done.put(not_analyzed(file, Cause.CRASH, NOT_READ))
        return None


def _content_at_least(read: Read) -> str:
    """Return the content of a file whose stored result could not be read.

    :raises NotLookedUpError: if it has no content either, because a client sends only contents
        without a stored result.
    """
    try:
        return read()
    except ValueError:
        raise NotLookedUpError from None


def _reason(error: Exception) -> str:
    return (str(error) if isinstance(error, ValueError) else "") or UNREADABLE
