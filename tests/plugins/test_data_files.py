"""Shipped tables and rules: errors in a file have its name and the position."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from codeintel.engine.data_files import DataFileError, read_data


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    kind: str
    most: int = 0


Table = dict[str, Entry]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("table.yml", "one: {kind: call}\ntwo: {kind: call, most: 2}\n"),
        ("table.toml", "one = {kind = 'call'}\n[two]\nkind = 'call'\nmost = 2\n"),
    ],
)
def test_a_file_is_read_as_a_type(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert read_data(tmp_path / name, Table) == {"one": Entry("call"), "two": Entry("call", 2)}


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.yml", b"one: [", r"a\.yml: .*\(at line \d, column \d+\)"),
        (
            "a.yml",
            b"one: {kind: a}\none: {kind: b}",
            r"the key 'one' is defined twice \(at line 2, column 1\)",
        ),
        (
            "a.yml",
            b"one: {kind: a, kind: b}",
            r"the key 'kind' is defined twice \(at line 1, column 16\)",
        ),
        ("a.yml", b"? [a, b]\n: 1", r"a\.yml: a key must be a single value"),
        ("a.yml", b"one: !!python/name:os.system x", r"a\.yml: could not determine"),
        (
            "a.yml",
            b"one: {kind: 5}",
            r"a\.yml: Expected `str`, got `int` - at `\$\[\.\.\.\]\.kind`",
        ),
        ("a.yml", b"one: {kind: a, least: 5}", "unknown field `least`"),
        ("a.yml", b"", "Expected `object`, got `null`"),
        ("a.yml", b"one: \xff", r"a\.yml: 'utf-8' codec"),
        ("a.toml", b"one = x", r"a\.toml: .*\(at line 1, column 7\)"),
        ("a.toml", b"[one]\nkind='a'\n[one]\nkind='b'", r"a\.toml: Cannot declare .*twice"),
        ("a.toml", b"[one]\n", r"a\.toml: Object missing required field `kind`"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    name: str, data: bytes, message: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DataFileError, match=message):
        read_data(tmp_path / name, Table)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"^none\.yml: No such file"):
        read_data(tmp_path / "none.yml", Table)
