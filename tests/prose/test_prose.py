"""The prose linter, and the number of odd phrases in each folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from prose_ceilings import area, hits_by_area, load_ceilings, lower, problems
from prose_markers import FORBIDDEN, find_hits, markers
from prose_scripts import script_texts, style_texts
from prose_texts import Text, all_texts, markdown_prose, template_prose


def forbidden(body: str, kind: str = "comment", owner: str = "") -> list[str]:
    """Return the forbidden phrases in a text."""
    text = Text("a.py", 1, kind, owner, body)
    return [hit.phrase for hit in find_hits([text]) if not hit.is_soft]


def test_no_folder_has_more_odd_phrases_than_before() -> None:
    counts = hits_by_area(find_hits(all_texts()))
    assert not problems(load_ceilings(), counts)


def test_the_list_has_more_than_fifty_phrases() -> None:
    assert len(markers()[FORBIDDEN]) >= 50


@pytest.mark.parametrize(
    ("body", "phrases"),
    [
        ("Whoever asks for a file of its own.", ["Whoever", "of its own"]),
        ("A file\nof its\nown.", ["of its own"]),  # codespell:ignore
        ("The key's account.", []),
        ("bystanders in disguise", []),
        ("The colour of MITRE is cancelled.", ["colour"]),
    ],
)
def test_phrases(body: str, phrases: list[str]) -> None:
    assert forbidden(body) == phrases


@pytest.mark.parametrize(
    ("body", "owner", "is_odd"),
    [
        ("Whether it is open.", "function", True),
        ("Whether it is open.", "value", False),
        ("The row that was added.", "function", True),
        ("The row of a key.", "function", False),
        ("Return the row that was added.", "function", False),
        ("Those that are open.", "class", True),
        ("The open ones of a row.", "class", False),
        ("`a and b` is `b and a`.", "function", False),
    ],
)
def test_starts_of_docstrings(body: str, owner: str, is_odd: bool) -> None:
    assert bool(forbidden(body, "docstring", owner)) is is_odd


@pytest.mark.parametrize(
    ("body", "is_counted"),
    [
        ("Return the row.", False),
        ("The row.", True),
        (":raises ServiceError: `not_found`", False),
        ("Return " + "word " * 24, False),
        ("Return " + "word " * 25, True),
    ],
)
def test_counted_markers(body: str, is_counted: bool) -> None:
    hits = find_hits([Text("a.py", 1, "docstring", "function", body)])
    assert bool(hits) is is_counted
    assert all(hit.is_soft for hit in hits)


def test_lines_of_hits() -> None:
    (hit,) = find_hits([Text("a.py", 5, "comment", "", "One.\nTwo\nwhoever.")])
    assert str(hit).startswith("a.py:7: whoever -> ")


def test_texts_of_a_tree(tmp_path: Path) -> None:
    (tmp_path / "codeintel/web/templates").mkdir(parents=True)
    (tmp_path / "codeintel/a.py").write_text(
        '"""A module."""\n\n\ndef f(x):\n    """Raise."""\n    # why\n'
        '    raise ValueError(f"the {x} is `red`")\n\n\nQUERY = "SELECT a FROM b"\n'
    )
    (tmp_path / "codeintel/a.yml").write_text("id: x\nsummary: It is.\nexamples: {note: code}\n")
    (tmp_path / "codeintel/web/templates/a.html").write_text("<p>Of\n<b>its</b> own</p>\n")
    found = [(text.path[10:], text.line, text.kind, text.body) for text in all_texts(tmp_path)]
    assert found == [
        ("a.py", 1, "docstring", "A module."),
        ("a.py", 5, "docstring", "Raise."),
        ("a.py", 6, "comment", "why"),
        ("a.py", 7, "message", "the _ is `_`"),
        ("a.yml", 2, "rule", "It is."),
        ("web/templates/a.html", 1, "page", "Of\nits own"),
    ]


def test_texts_of_scripts() -> None:
    script = """// Why it
// is so.
const a = /'x/; /* block */
say(`the ${name} failed`, "a-class", 'It is gone.'); // end
"""
    assert list(script_texts(script)) == [
        (1, "comment", "Why it\nis so."),
        (3, "comment", " block "),
        (4, "message", "the _ failed"),
        (4, "message", "It is gone."),
        (4, "comment", "end"),
    ]


def test_comments_of_styles() -> None:
    style = """.a { color: red } /* One. */
.b::after { content: "no" } /* Two
lines. */"""
    assert list(style_texts(style)) == [(1, "One."), (2, "Two\nlines.")]


def test_code_is_no_prose() -> None:
    page = '{# no #}<p title="Read me now">{{ x }} of <code>a b</code></p>{% if a %}'
    assert template_prose(page) == "|||Read me now||_ of _||_"
    assert markdown_prose("One `two`.\n```sh\nthree\n```\nfour") == "One _.\n||\n|\n|\nfour"


def test_ceilings_only_fall() -> None:
    assert lower({"a": 5, "b": 5, "c": 5}, {"a": 3, "b": 8}) == {"a": 3, "b": 5}
    assert not problems({"a": 5}, {"a": 5})
    assert not problems({"a": 15}, {"a": 5})
    assert problems({}, {"a": 1})[0].startswith("a: 1 forbidden phrases, 0 allowed.")
    assert problems({"a": 100}, {"a": 5})[0].endswith("Run `python tests/prose/lint.py --lower`.")


def test_areas() -> None:
    assert area("README.md") == "."
    assert area("codeintel/app.py") == "codeintel"
    assert area("codeintel/engine/dataflow/shell/a.py") == "codeintel/engine/dataflow"
    assert area("plugins/codeintel_plugins/patterns/rules/c/a.yml").endswith("/rules/c")
