"""The detector's tables: what they name exists, and shortcuts do not change answers."""

from __future__ import annotations

import re

import pytest
from detect_samples import HOSTILE, SAMPLES

from codeintel.contracts.languages import canonical_language, is_known
from codeintel.engine.detection import NO_CODE
from codeintel.engine.detection.detector import GrammarDetector
from codeintel.engine.detection.idioms import IDIOMS, idiom_scores
from codeintel.engine.detection.sample import HEAD, MIDDLE, take_sample
from codeintel.engine.detection.shapes import OF_BARE, OF_TEXT, REQUIRED, shape_scores
from codeintel.engine.detection.weigh import GRAMMARS, Grammars, certain_scores
from codeintel.engine.detection.words import WORDS, word_scores

FOR_EVER = float("inf")


def named() -> set[str]:
    """Return all languages that the tables name."""
    shapes = {*OF_TEXT, *OF_BARE, *REQUIRED, "yaml", NO_CODE}
    idioms = {language for idiom in IDIOMS for language in idiom.weights}
    words = {language for weights in WORDS.values() for language in weights}
    return {*shapes, *idioms, *words, *GRAMMARS}


def test_all_languages_are_known_by_their_canonical_names() -> None:
    assert len(named()) > 50
    assert [
        each for each in named() if not is_known(each) or canonical_language(each) != each
    ] == []


def test_the_detector_says_which_languages_it_can_tell() -> None:
    assert GrammarDetector.languages == named() - {NO_CODE}


def test_each_shape_has_what_it_requires() -> None:
    assert {*OF_TEXT, *OF_BARE, "markdown"} == set(REQUIRED)


def test_each_idiom_is_found_somewhere_only_with_its_needle() -> None:
    texts = [take_sample(code).bare for code in (*SAMPLES.values(), *(u * 300 for u in HOSTILE))]
    for idiom in IDIOMS:
        for text in texts:
            if idiom.needle not in text:
                assert not idiom.pattern.search(text), idiom


def test_every_word_can_be_found() -> None:
    for word in WORDS:
        assert word_scores(f"( {word} )"), word


@pytest.mark.parametrize("language", sorted(GRAMMARS))
def test_every_grammar_loads_without_a_download(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect(*_: object) -> None:
        raise AssertionError("nothing is to be fetched")

    monkeypatch.setattr("socket.socket.connect", connect)
    code = SAMPLES.get(language, "")
    errors = Grammars().errors(language, code, FOR_EVER)
    assert errors is not None
    assert errors < 0.1


def test_a_wrong_grammar_skips_more() -> None:
    grammars = Grammars()
    for right, wrong in (("python", "java"), ("rust", "ruby"), ("typescript", "javascript")):
        errors = [grammars.errors(each, SAMPLES[right], FOR_EVER) for each in (right, wrong)]
        assert errors[0] == 0
        assert errors[1]


def test_php_needs_no_tag_and_jsx_is_typescript_too() -> None:
    grammars = Grammars()
    assert grammars.errors("php", "$a = [1];\n", FOR_EVER) == 0
    assert grammars.errors("typescript", "const a: X = <b>{c as d}</b>;\n", FOR_EVER) == 0


def test_a_cut_off_end_is_a_small_error() -> None:
    """A class without its last braces: the methods before are understood."""
    code = "class A {\n" + "    int f(int a) { return a + 1; }\n" * 20 + "    void g() {\n"
    errors = Grammars().errors("java", code, FOR_EVER)
    assert errors is not None
    assert 0 < errors < 0.1


def test_a_grammar_that_takes_too_long_gives_no_answer() -> None:
    grammars = Grammars()
    assert grammars.errors("javascript", "->" * 20_000, FOR_EVER) is None
    assert grammars.errors("javascript", "->" * 20_000, deadline=0) is None
    assert grammars.errors("javascript", SAMPLES["javascript"], FOR_EVER) == 0, "the next is well"


# The sample.


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("a = 'b' # c\n", "a = ''\n"),
        ('x = """one\ntwo"""\ny\n', 'x = """"""\ny\n'),
        ("a /* b\nc */ d\n", "a  d\n"),
        ("a; // b\nhttp://c\n", "a;\nhttp://c\n"),
        ("<!-- a\nb -->\n<p>\n", "\n<p>\n"),
        ("-- a\nselect 1 -- b\n", "\nselect 1\n"),
        (
            "#include <a>\n#define b\n#![c]\n#d { e: 1 }\n",
            "#include <a>\n#define b\n#![c]\n#d { e: 1 }\n",
        ),
        ("--[[ a\nb ]]\nlocal c\n", "\nlocal c\n"),
        ("=begin\na\n=end\nb\n", "\nb\n"),
        ("a = '\\'b' + `c`\n", "a = '' + ``\n"),
        ("it's\nthat's\n", "it's\nthat's\n"),
        ("/* never closed\nint a;\n", "/* never closed\nint a;\n"),
        ("a\r\nb\rc\n", "a\nb\nc\n"),
        ("\ufeffa\n\n\n \t\n\nb   \n", "a\n\nb\n"),
    ],
)
def test_words_of_comments_and_strings_are_taken_out(text: str, bare: str) -> None:
    assert take_sample(text).bare == bare


def test_a_sample_is_bounded_and_ends_with_a_line() -> None:
    code = "".join(f"value_{number} = {number}\n" for number in range(9_000))
    sample = take_sample(code)
    assert len(sample.text) <= HEAD + MIDDLE + 1
    lines = [line for line in sample.text.split("\n") if line]
    assert all(re.fullmatch(r"value_(\d+) = \1", line) for line in lines)
    assert lines[-1].startswith("value_4"), "something of the middle"
    assert max(map(len, take_sample("x" * 100_000).text.split("\n"))) <= 300


def test_what_begins_with_long_comments_gives_more() -> None:
    sample = take_sample("/* a comment */\n" * 1_000 + "int a;\n" * 50)
    assert sample.bare.count("int a;") == 50


@pytest.mark.parametrize(
    ("code", "is_json"),
    [
        ('{"a": [1, null]}\n', True),
        ("[1]", True),
        ("{}", False),
        ("[]", False),
        ('{"a": 1', False),
        ('"a"', False),
        ("[" * 50_000 + "]" * 50_000, False),
    ],
)
def test_json_is_what_can_be_read_as_such(code: str, is_json: bool) -> None:
    assert take_sample(code).is_json is is_json


def test_scores_are_of_what_they_say() -> None:
    assert max(idiom_scores("def f(a):\n    if a:\n"), key=lambda each: each) == "python"
    assert certain_scores(take_sample("#!/bin/no-such-thing\n")) == {}
    shapes = shape_scores(take_sample(SAMPLES["yaml"]))
    assert max(shapes, key=shapes.__getitem__) == "yaml"
