"""Beginnings of addresses that settle the host."""

from __future__ import annotations

import pytest

from codeintel.engine.dataflow.values import (
    begins_fixed,
    begins_interpolated,
    is_fixed,
    names_address,
)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ('"https://example.com/" + x', True),
        ('"https://example.com?x=" + x', True),
        ('$"/search?q={x}"', True),
        ('"redirect:/items/" + x', True),
        ("f'http://example.com/{x}'", True),
        ('"https://" + host', False),
        ('"https://example.com" + x', False),
        ('"https://{host}/a"', False),
        ('"/" + x', False),
        ('"//" + x', False),
        ('"redirect:" + x', False),
        ("x + '/a'", False),
    ],
)
def test_source_text(source: str, fixed: bool) -> None:
    assert begins_fixed(source) is fixed


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("https://example.com/%s", True),
        ("/users/{0}", True),
        ("https://%s/users", False),
        ("%s/users", False),
        ("/%s", False),
        ("//%s", False),
    ],
)
def test_format(text: str, fixed: bool) -> None:
    assert is_fixed(text) is fixed


@pytest.mark.parametrize(
    ("source", "interpolated"),
    [("`${BASE}/a`", True), ('$"{BaseUrl}/a"', True), ('f"{base}/a"', True), ('"a{b}"', False)],
)
def test_interpolated_first(source: str, interpolated: bool) -> None:
    assert begins_interpolated(source) is interpolated


@pytest.mark.parametrize(
    ("name", "is_address"),
    [("BASE_URL", True), ("_baseUrl", True), ("apiBase", True), ("host", True), ("name", False),
     ("scheme", False), ("next", False)],
)  # fmt: skip
def test_names(name: str, is_address: bool) -> None:
    assert names_address(name) is is_address
