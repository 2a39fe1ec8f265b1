"""The tests of each tier: those that `-m` excludes are not even imported, and all others run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tiers import DOWNLOADING, FILES, FOLDERS, TESTS, TIERS, base_tier, is_left_out, possible_tiers


def written(folder: Path, text: str) -> Path:
    path = folder / "test_it.py"
    path.write_text(text)
    return path


@pytest.fixture
def unit_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a replacement of `tests` with one folder of the tier `unit`."""
    monkeypatch.setattr("tiers.TESTS", tmp_path)
    folder = tmp_path / "units"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    ("text", "expression", "is_out"),
    [
        ("", "unit", False),
        ("", "service", False),  # a fixture may make it one
        ("", "engine", True),
        ("", "timing", True),
        ("@pytest.mark.alone", "timing", False),
        ("pytestmark = pytest.mark.engine", "engine", False),
        ("pytestmark = pytest.mark.verdaccio", "verdaccio", False),
        ("", "verdaccio", True),
        ("", "not unit and not service", True),
        ("", "not unit and not timing", False),
        ("", "parametrize", False),  # no tier: pytest knows
        ("", "", False),
    ],
)
def test_a_file_is_left_out(unit_folder: Path, text: str, expression: str, is_out: bool) -> None:
    assert is_left_out(written(unit_folder, text), expression) is is_out


def test_helpers_are_imported_as_ever(unit_folder: Path) -> None:
    helper = unit_folder / "conftest.py"
    helper.write_text("")
    assert not is_left_out(helper, "engine")
    assert not is_left_out(unit_folder, "engine")


def test_each_of_the_seven_tiers_has_files() -> None:
    files = TESTS.rglob("test_*.py")
    assert set().union(*map(possible_tiers, files)) == {*TIERS, *DOWNLOADING}


def test_the_tables_name_what_is_there() -> None:
    assert [name for name in FOLDERS if not (TESTS / name).is_dir()] == []
    assert [name for name in FILES if not (TESTS / name).is_file()] == []
    assert {*FOLDERS.values(), *FILES.values()} <= TIERS.keys()
    assert base_tier(TESTS / "server" / "test_kill.py") == "e2e"


def test_only_files_with_tests_mark_them() -> None:
    """A mark from elsewhere would not be seen before the file is imported."""
    marks = re.compile(rf"\bmark\.({'|'.join((*TIERS, *DOWNLOADING, 'alone'))})\b")
    helpers = [path for path in TESTS.rglob("*.py") if not path.name.startswith("test_")]
    assert [path.name for path in helpers if marks.search(path.read_text())] == []
