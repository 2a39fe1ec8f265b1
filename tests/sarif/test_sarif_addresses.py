"""File addresses."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given, strategies as st

from codeintel.engine.sarif import file_uri

HERE = Path("/home/me/project")


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a.py", "a.py"),
        ("./src//a.py", "src/a.py"),
        ("src/../a.py", "a.py"),
        ("/home/me/project/src/a.py", "src/a.py"),
        ("../project/a.py", "a.py"),
        ("..a.py", "..a.py"),
        ("../other/a.py", "file:///home/me/other/a.py"),
        ("/etc/a b.py", "file:///etc/a%20b.py"),
        ("a b%20?#[].py", "a%20b%2520%3F%23%5B%5D.py"),
        ("c:/a.py", "c%3A/a.py"),
        ("é😀.py", "%C3%A9%F0%9F%98%80.py"),
        ("a\udce9.py", "a%E9.py"),
    ],
)
def test_addresses(path: str, uri: str) -> None:
    assert file_uri(path, HERE) == uri


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_any_name_comes_back(name: str) -> None:
    path = os.path.relpath(os.path.normpath(HERE / name), HERE)
    uri = file_uri(name, HERE)
    assert uri.isascii()
    if not uri.startswith("file:"):
        assert unquote(uri) == path
    assert not set(uri) & set(' "<>\\^`{|}?#')
