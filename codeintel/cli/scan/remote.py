"""Scan by a service, which gets only the contents that it does not know."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager

import msgspec

from codeintel.base.wording import counted
from codeintel.cli.outcome import as_object, as_text
from codeintel.cli.remote import client_with_key, told_failures
from codeintel.cli.scan.runners import Ended, Item, Progressed, ScannedBy
from codeintel.client import ClientError, StreamBroken
from codeintel.client.repository.discovery import ReadText
from codeintel.client.scans import ScanClient, ScanEnd, ScanItem, ScanOptions, ScanProgress
from codeintel.contracts import Finding, Model, RuleInfo
from codeintel.contracts.scans.records import (
    CrossFileResult,
    ExcludedFile,
    FileResult,
    FoundFile,
    ScanSummary,
)
from codeintel.runs.scans.results import crossing_with_excerpts, with_excerpts
from codeintel.server.opening import Failure

SCOPE = "analysis:write"
_COMPLETED = "completed"


class _Texts:
    """Adds excerpts, which a service does not send because it deletes contents."""

    def __init__(self, files: Mapping[str, FoundFile], read: ReadText) -> None:
        self._files = files
        self._read = read
        self._known: dict[str, list[Finding]] = {}

    def with_code(self, result: FileResult) -> FileResult:
        """Return a result with excerpts."""
        file = self._files.get(result.path)
        if file is None or not result.findings:
            return result
        self._known[result.path] = [each.finding for each in result.findings]
        try:
            return with_excerpts(result, self._read(file))
        except (OSError, ValueError):
            return result

    def crossing_with_code(self, result: CrossFileResult) -> CrossFileResult:
        """Return what crosses files with excerpts. All other results come before it."""
        return crossing_with_excerpts(
            result, lambda path: self._read(self._files[path]), self._known
        )


class RemoteRunner:
    """Scans files by a service.

    :param name: the name of the repository, for the list of runs.
    """

    def __init__(self, client: ScanClient, name: str) -> None:
        self._client = client
        self._name = name
        self._summaries: list[ScanSummary] = []
        self._ends: list[ScanEnd] = []
        self._is_told = False

    def about(self, model: Model) -> ScannedBy:  # noqa: ARG002 - the service has chosen
        """Return the engine of the scan."""
        if not self._summaries:
            return ScannedBy("", "")
        return ScannedBy(self._summaries[0].engine, self._summaries[0].version)

    def scan(
        self,
        files: Sequence[FoundFile],
        read: ReadText,
        model: Model,
        left_out: Sequence[ExcludedFile] = (),
    ) -> Iterator[Item]:
        """Yield the results as they arrive. If the scan ends early, that is the last item.

        Closing it cancels the scan.

        :raises Failure: if the service refuses the scan, or cannot be reached.
        """
        if self._is_told:
            self._summaries, self._ends, self._is_told = [], [], False
        if not files:  # a service accepts no empty list
            return
        has_begun = False
        texts = _Texts({file.path: file for file in files}, read)
        items = self._client.scan(files, read, ScanOptions(model, self._name, left_out))
        with told_failures(), closing(items):
            while True:
                try:
                    item = next(items, None)
                except ClientError as error:
                    if isinstance(error, StreamBroken) and not has_begun:
                        raise Failure(str(error)) from None
                    if not has_begun:
                        raise
                    yield Ended(f"The service did not finish the scan: {error}")
                    return
                if item is None:
                    return
                has_begun = has_begun or not isinstance(item, ScanProgress)
                yield from self._shown(item, texts)

    def rules(self) -> Mapping[str, Sequence[RuleInfo]]:
        """Return the rules of the service by analyzer. Empty if it does not list them."""
        found: dict[str, list[RuleInfo]] = {}
        try:
            for rule in self._client.rules():
                listed = as_object(rule)
                told = msgspec.convert(listed, RuleInfo)
                found.setdefault(as_text(listed.get("analyzer")), []).append(told)
        except (ClientError, msgspec.ValidationError):
            return {}
        return found

    def notes(self) -> Iterator[str]:
        """Yield the notes of the service, and the page and the price of each run.

        A comparison with a commit has two runs. The next scan starts a new list.
        """
        self._is_told = True
        yield from dict.fromkeys(note for each in self._summaries for note in each.notes)
        for end in self._ends:
            if end.run_id:
                charged = counted(end.credits_charged, "credit")
                yield f"{self._client.url}/runs/{end.run_id}: {charged} charged."

    def _shown(self, item: ScanItem, texts: _Texts) -> Iterator[Item]:
        if isinstance(item, ScanProgress):
            yield Progressed(f"{item.message}: {item.done:,} of {item.total:,}")
        elif isinstance(item, ScanSummary):
            self._summaries.append(item)
        elif isinstance(item, ScanEnd):
            self._ends.append(item)
            if item.state != _COMPLETED:
                message = item.message or item.reason or item.state
                yield Ended(f"The service did not finish the scan: {message}")
        elif isinstance(item, FileResult):
            yield texts.with_code(item)
        elif isinstance(item, CrossFileResult):
            yield texts.crossing_with_code(item)


@contextmanager
def remote_runner(url: str, key: str | None, name: str) -> Generator[RemoteRunner]:
    """Yield a runner.

    :raises Failure: without a key, or if the address or the key is invalid.
    """
    client_with_key(url, key, SCOPE)
    yield RemoteRunner(ScanClient(url, key), name)
