"""What clients call languages, and what files are written in."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeintel import languages
from codeintel.languages import canonical_language, language_of_path

TABLE = languages._LANGUAGES


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("python", "python"),
        ("PY", "python"),
        (" Python3\n", "python"),
        (".pyi", "python"),
        (".PY", "python"),
        ("C++", "cpp"),
        ("C#", "csharp"),
        ("c", "c"),
        (".h", "c"),
        (".ts", "typescript"),
        ("tsx", "typescript"),
        ("Golang", "go"),
        ("shell", "bash"),
        ("COBOL", "cobol"),
        (".cob", "cob"),
        ("", ""),
        (".", ""),
    ],
)
def test_names(name: str, canonical: str) -> None:
    assert canonical_language(name) == canonical


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.py", "python"),
        ("/srv/x.y/a.test.TSX", "typescript"),
        (PurePath("a.tar.yml"), "yaml"),
        ("Makefile", None),
        ("a.", None),
        (".py", None),
        ("py", None),
        ("a.py/b", None),
        ("a.cob", None),
        ("", None),
    ],
)
def test_paths(path: str | PurePath, language: str | None) -> None:
    assert language_of_path(path) == language


def test_no_name_and_no_extension_means_two_languages() -> None:
    names = Counter(name for key, (others, _) in TABLE.items() for name in (key, *others))
    extensions = Counter(each for _, found in TABLE.values() for each in found)
    assert [each for each, count in (names + extensions).items() if count > 2] == []
    assert max(names.values()) == max(extensions.values()) == 1
    for each in set(names) & set(extensions):
        assert canonical_language(each) == canonical_language(f".{each}"), each
    assert all(each == each.strip().lower().lstrip(".") for each in names + extensions)


@given(st.one_of(st.sampled_from([*TABLE, "c++", ".ts", "Go"]), st.text()))
def test_a_canonical_name_stays_what_it_is(name: str) -> None:
    once = canonical_language(name)
    if not once.startswith("."):
        assert canonical_language(once) == once
