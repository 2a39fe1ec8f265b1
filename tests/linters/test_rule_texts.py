"""Our texts about the rules of other tools: the tool reports each bad example and no good one."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from codeintel_plugins.toolkit.rule_texts import RuleText, page_of, rule_texts
from rule_text_examples import TOOLS

from codeintel.engine.data_files import DataFileError

MAX_TITLE = 60
TEXT = RuleText("Title", "First sentence. Second one.", "Do it.", "bad <code>", "good")
YAML = "X1: {title: A, explanation: B., remedy: C., bad: d, good: e}\n"


@pytest.mark.parametrize("tool", TOOLS)
def test_the_tool_reports_the_bad_examples_only(tool: str) -> None:
    found = TOOLS[tool].reported(TOOLS[tool].analyzer, TOOLS[tool].examples())
    wrong = [
        each.name
        for each in TOOLS[tool].examples()
        if (each.rule in found.get(each.name, ())) is not (each.kind == "bad")
    ]
    assert wrong == []
    invalid = {name for name, reported in found.items() if "invalid-syntax" in reported}
    assert {name for name in invalid if name.endswith("-good")} == set()


@pytest.mark.parametrize("tool", TOOLS)
def test_titles_are_unique_and_in_sentence_case(tool: str) -> None:
    titles = Counter(text.title for text in TOOLS[tool].texts.values())
    assert [title for title, count in titles.items() if count > 1] == []
    assert [title for title in titles if len(title) > MAX_TITLE or title.endswith(".")] == []


@pytest.mark.parametrize("tool", TOOLS)
def test_texts_are_complete_sentences(tool: str) -> None:
    for name, text in TOOLS[tool].texts.items():
        assert text.explanation.endswith("."), name
        assert text.remedy.endswith("."), name
        assert len(re.findall(r"[.](?:\s|$)", text.explanation)) <= 3, name


@pytest.mark.parametrize("tool", TOOLS)
def test_every_rule_has_a_text(tool: str) -> None:
    listed = {rule.id: rule for rule in TOOLS[tool].analyzer.rules()}
    assert TOOLS[tool].texts.keys() == listed.keys()
    for name, rule in listed.items():
        text = TOOLS[tool].texts[name]
        assert (rule.title, rule.remedy) == (text.title, text.remedy)
        assert (TOOLS[tool].analyzer.page(name) or "").startswith(text.page)


def test_a_page_has_the_whole_text() -> None:
    page = page_of("X1", {"X1": TEXT}) or ""
    assert page.startswith("<h1>Title</h1>\n<p>First sentence. Second one.</p>")
    assert "Do it." in page
    assert "bad &lt;code&gt;" in page
    assert "good" in page


def test_pages_show_code_and_invisible_characters() -> None:
    text = RuleText("Title", "Use `a < b`.", "Do it.", "a\tb\u202e\x00\n", "good")
    assert "<p>Use <code>a &lt; b</code>.</p>" in text.page
    assert "<code>a\tb&lt;U+202E&gt;&lt;U+0000&gt;\n</code>" in text.page


def test_the_summary_is_the_first_sentence() -> None:
    assert TEXT.summary == "First sentence."


def test_a_rule_without_a_text_has_no_page() -> None:
    assert page_of("X2", {"X1": TEXT}) is None


def test_two_files_cannot_describe_one_rule(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(YAML)
    assert list(rule_texts(tmp_path)) == ["X1"]
    rule_texts.cache_clear()
    (tmp_path / "b.yml").write_text(YAML)
    with pytest.raises(DataFileError, match=r"b\.yml: another file describes X1"):
        rule_texts(tmp_path)


def test_an_unknown_field_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(YAML.replace("remedy", "remedies"))
    with pytest.raises(DataFileError, match="remed"):
        rule_texts(tmp_path)
