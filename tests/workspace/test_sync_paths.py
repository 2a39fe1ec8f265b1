"""Every pushed file is returned byte for byte under the same path, or rejected by name."""

from __future__ import annotations

import io
import zipfile
from urllib.parse import quote

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings, strategies as st
from workspace_pushes import Pusher, count

from codeintel.contracts.workspaces.paths import BRIDGE_PATH, path_problems

TABLES = ("workspace_sessions", "workspace_revisions", "workspace_files", "workspace_contents")
_NAMES = st.one_of(
    st.sampled_from(
        ["a", "A", "b.py", ".git", ".GIT", "git~1", "..", ".", "", "é", "e\u0301", "ß", "ss", "k"]
    ),
    st.sampled_from(
        ["K", ".codeintel", "a:b", "a\\b", "C:", "%2e%2e", "?q", "#h", "a b", "\u202e"]
    ),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=6),
)
_PATHS = st.lists(_NAMES, min_size=1, max_size=3).map(lambda names: "/" + "/".join(names))
_TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=40), st.just("<script>1</script>")
)
FILES = st.dictionaries(st.one_of(_PATHS, st.text(max_size=6)), _TEXTS, min_size=1, max_size=5)


@pytest.fixture(scope="module")
def pushers(shared_app: Flask) -> Pusher:
    return Pusher(shared_app)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(files=FILES, name=st.text(st.characters(codec="utf-8", categories=["L"]), max_size=5))
def test_what_is_taken_comes_back(pushers: Pusher, files: dict[str, str], name: str) -> None:
    before = [count(pushers.app, table, "") for table in TABLES]
    answer = pushers.push(files, name=name)
    if answer.status_code == 400:
        named = {each["path"] for each in answer.json["error"]["details"]["files"]}
        assert named == {each.path for each in path_problems(files)}
        assert named
        assert [count(pushers.app, table, "") for table in TABLES] == before
        return
    assert answer.status_code in {200, 201}
    assert path_problems(files) == []
    session, revision = answer.json["sessionId"], answer.json["revision"]
    skipped = {each["path"] for each in answer.json["files"]["skipped"]}
    kept = {path: text for path, text in files.items() if path not in skipped}
    assert pushers.files(session) == kept
    for path, text in kept.items():
        file = pushers.get(f"/{session}/files{quote(path)}", query_string={"revision": revision})
        assert file.data == text.encode()
        assert file.headers["Content-Disposition"] == "attachment"
    packed = pushers.get(f"/{session}/archive.zip?revision={revision}")
    with zipfile.ZipFile(io.BytesIO(packed.data)) as archive:
        unpacked = {f"/{name}": archive.read(name).decode() for name in archive.namelist()}
    assert unpacked.pop(BRIDGE_PATH)
    assert unpacked == kept
