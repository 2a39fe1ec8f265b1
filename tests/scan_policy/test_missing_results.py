"""Files of a scan without a result: each is a gap."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from scan_samples import TEXT, file_result

from codeintel.cli.scan.policy.judging import judge
from codeintel.cli.scan.policy.layers import parse
from codeintel.cli.scan.policy.settings import ProjectConfig
from codeintel.cli.scan.runners import Collected, ScannedBy
from codeintel.client.repository.discovery import Discovery
from codeintel.contracts import Model
from codeintel.contracts.scans.records import Cause, FoundFile, ScanVerdict


def test_a_file_without_a_result_makes_the_scan_incomplete() -> None:
    files = tuple(
        FoundFile(path=path, sha256="0" * 64, size=9, language="python")
        for path in ("a.py", "lost.py")
    )
    discovery = cast("Discovery", SimpleNamespace(files=files, left_out=()))
    collected = Collected()
    collected.add(file_result("a.py", TEXT))
    summary = collected.summary(discovery, ScannedBy("static", "1"), Model.FLASH)
    assert [(each.path, each.cause) for each in summary.left_out] == [("lost.py", Cause.CRASH)]
    report = judge(collected.files, None, summary, ProjectConfig(parse("")))
    assert report.verdict is ScanVerdict.INCOMPLETE
    assert [each.path for each in report.gaps] == ["lost.py"]
