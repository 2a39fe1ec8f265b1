"""Languages and hot spots of a workspace."""

from __future__ import annotations

import json
from collections.abc import Iterable

import msgspec
import pytest
import report_samples
from hypothesis import HealthCheck, given, settings, strategies as st
from report_samples import result

from codeintel.workspaces.proof import exports as exports
from codeintel.workspaces.proof.assembling import MOST, count_lines, hot_spots, shares
from codeintel.workspaces.proof.exports import ExportFormat, ExportPart, exported
from codeintel.workspaces.proof.reading import (
    _Outline,
    encoded,
    packed,
    unpacked,
    unpacked_before,
)
from codeintel.workspaces.proof.shapes import LanguageShare, Report

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

paths = st.sampled_from(["/a.py", "/b/c.ts", "/Dockerfile", "/odd.unheard", "/LICENSE", "/x.PY"])


def test_languages_by_names_most_bytes_first() -> None:
    files = [
        ("/a.py", "x = 1\ny = 2\n"),
        ("/b.PY", "é"),
        ("/web/app.js", "f()\r\ng()\rh()"),
        ("/what.unheard", "?"),
        ("/empty.py", ""),
    ]
    assert shares(files) == (
        LanguageShare("python", "Python", files=3, lines=3, bytes=14),
        LanguageShare("javascript", "JavaScript", files=1, lines=3, bytes=12),
        LanguageShare(None, "Unknown", files=1, lines=1, bytes=1),
    )
    assert shares(iter(())) == ()


@UNHURRIED
@given(st.lists(st.tuples(paths, st.text(max_size=30))))
def test_every_file_is_counted_once(files: Iterable[tuple[str, str]]) -> None:
    files = list(files)
    found = shares(files)
    assert sum(each.files for each in found) == len(files)
    assert sum(each.bytes for each in found) == sum(len(text.encode()) for _, text in files)
    assert sum(each.lines for each in found) == sum(count_lines(text) for _, text in files)
    assert [each.bytes for each in found] == sorted((each.bytes for each in found), reverse=True)
    assert len({each.language for each in found}) == len(found)


def test_lines() -> None:
    counted = {
        text: count_lines(text) for text in ("", "a", "a\n", "a\nb", "\n", "a\r\n\r\nb", "\r")
    }
    assert counted == {"": 0, "a": 1, "a\n": 1, "a\nb": 2, "\n": 1, "a\r\n\r\nb": 3, "\r": 1}


def test_hot_spots_are_the_files_with_the_most_complex_functions() -> None:
    results = {
        "/b.py": result(complexityMax=12, functions=3),
        "/a.py": result(complexityMax=12),
        "/worst.py": result(complexityMax=31, complexityMean=9.5),
        "/simple.py": result(complexityMax=5),
        "/text.md": result(lines=3),
    }
    found = hot_spots(results)
    assert [(each.path, each.score) for each in found] == [
        ("/worst.py", 31),
        ("/a.py", 12),
        ("/b.py", 12),
    ]
    assert found[0].metrics == {"complexityMax": 31, "complexityMean": 9.5}
    many = {f"/{n}.py": result(complexityMax=6 + n) for n in range(50)}
    assert len(hot_spots(many)) == MOST
    assert hot_spots({}) == ()


def test_a_report_is_stored_as_the_json_that_it_is() -> None:
    made = report_samples.report()
    assert json.loads(encoded(made)) == json.loads(msgspec.json.encode(made))
    assert unpacked(packed(made)) == made
    before = unpacked_before(packed(made))
    assert (before.summary, before.findings) == (made.summary, made.findings)
    assert Report.__struct_encode_fields__ == _Outline.__struct_encode_fields__


@pytest.mark.parametrize("form", ExportFormat)
def test_a_file_is_written_in_pieces(form: ExportFormat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "PIECE_BYTES", 100)
    made = report_samples.report()
    session = report_samples.session()
    part = ExportPart(
        format=form, document=packed(made), session=session, rules={}, origin="https://h.example"
    )
    pieces = list(exported([part]))
    expected = {
        ExportFormat.CSV: exports.csv_text(made).encode("utf-8", "replace"),
        ExportFormat.SARIF: msgspec.json.encode(exports.sarif(made, session, {}, part.origin)),
    }
    assert b"".join(pieces) == expected[form]
    assert max(map(len, pieces)) <= 100
