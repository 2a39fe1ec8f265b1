"""Clients' names of languages, and the languages of files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path, PurePath

import pytest
from hypothesis import given, strategies as st

from codeintel.contracts import languages
from codeintel.contracts.languages import (
    canonical_language,
    is_known,
    language_of_path,
    language_title,
)
from codeintel.platform.plugins.manager import PluginManager

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
        ("h", "c"),
        ("golang", "go"),
        ("Makefile", "make"),
        ("Dockerfile", "dockerfile"),
        ("RScript", "r"),
        ("ex", "elixir"),
        ("postgresql", "postgres"),
        ("MySQL", "mysql"),
        ("sqlite3", "sqlite"),
        ("T-SQL", "tsql"),
        ("BrainFuck", "brainfuck"),
        (".bf", "bf"),
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
        ("Makefile", "make"),
        ("/src/Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("Rakefile", "ruby"),
        ("CMakeLists.txt", "cmake"),
        ("pom.xml", "xml"),
        (".bashrc", "bash"),
        ("notes.txt", None),
        ("a.", None),
        (".py", None),
        ("py", None),
        ("a.py/b", None),
        ("a.bf", None),
        ("", None),
    ],
)
def test_paths(path: str | PurePath, language: str | None) -> None:
    assert language_of_path(path) == language


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("python", "Python"),
        ("cpp", "C++"),
        ("javascript", "JavaScript"),
        ("brainfuck", "brainfuck"),
    ],
)
def test_titles(language: str, title: str) -> None:
    assert language_title(language) == title
    assert is_known(language) is (title != language)


@pytest.mark.parametrize("dialect", ["tsql", "postgres", "mysql", "sqlite", "oracle", "bigquery"])
def test_dialects_of_sql_are_languages_of_their_own(dialect: str) -> None:
    assert canonical_language(dialect) == dialect
    assert is_known(dialect)


def test_nothing_means_two_languages() -> None:
    names = Counter(name for key, each in TABLE.items() for name in (key, *each.aliases.split()))
    extensions = Counter(ext for each in TABLE.values() for ext in each.extensions.split())
    files = Counter(file for each in TABLE.values() for file in each.files.split())
    for words in (names, extensions, files):
        assert [word for word, count in words.items() if count > 1] == []
        assert all(word == word.strip().lower() for word in words)
    for word in set(names) & set(extensions):
        assert canonical_language(word) == canonical_language(f".{word}"), word


@given(st.one_of(st.sampled_from([*TABLE, "c++", ".ts", "Go"]), st.text()))
def test_a_canonical_name_stays_what_it_is(name: str) -> None:
    once = canonical_language(name)
    if not once.startswith("."):
        assert canonical_language(once) == once


def test_every_language_that_an_analyser_knows_has_a_title(tmp_path: Path) -> None:
    analyzers = PluginManager({}, tmp_path).registry.analyzers.values()
    named = {language for analyzer in analyzers for language in analyzer.languages or ()}
    assert sorted(named - TABLE.keys()) == []
    assert [title for title in map(language_title, TABLE) if title == title.lower()] == []


def test_a_title_is_as_people_write_it() -> None:
    titles = [language_title(name) for name in ("glsl", "elisp", "presto", "text", "unheard-of")]
    assert titles == ["GLSL", "Emacs Lisp", "Presto SQL", "Plain text", "unheard-of"]
