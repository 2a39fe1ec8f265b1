"""The texts of scanned files without the secrets that were found in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from codeintel.cli.scan.report import Source
from codeintel.contracts import Finding
from codeintel.contracts.scans.records import ScanFinding
from codeintel.engine.sarif.excerpts import shown_lines

_KEPT = 4
"""The number of texts to keep. Reports show the findings file by file."""


class MaskedSource:
    """A source whose texts can be shown.

    :param source: returns the texts of files.
    :param findings: all findings, because a setting may hide the one about a secret.
    """

    def __init__(self, source: Source, findings: Iterable[ScanFinding]) -> None:
        self._source = source
        self._findings: dict[str, list[Finding]] = defaultdict(list)
        for each in findings:
            self._findings[each.path].append(each.finding)
        self._masked = lru_cache(maxsize=_KEPT)(self._mask)

    def __call__(self, path: str) -> str | None:
        """Return the text of a file. Lines end with a line feed."""
        return self._masked(path)

    def _mask(self, path: str) -> str | None:
        text = self._source(path)
        if text is None:
            return None
        lines, _ = shown_lines(text, self._findings.get(path, ()))
        return "\n".join(lines)
