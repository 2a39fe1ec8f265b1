from __future__ import annotations

import time

import pytest
from codeintel_plugins.complexity import measure_size
from codeintel_plugins.complexity.lexis import lexis_of, token_pattern
from codeintel_plugins.toolkit.positions import ToolSource
from hypothesis import given, strategies as st

from codeintel.contracts.languages import languages

KNOWN = [each.name for each in languages() if lexis_of(each.name) is not None]


@pytest.mark.parametrize(
    ("language", "code", "code_lines", "comment_lines", "blank_lines"),
    [
        ("c", "int a; // why\n/* b\n\n c */\n\n", 1, 2, 2),
        ("c", 'char *s = "/* no comment";\nint b;\n', 2, 0, 0),
        ("c", "char c = '\"'; // comment\n// comment", 1, 1, 0),
        ("javascript", "`a\n// no comment\n${b}`\n", 3, 0, 0),
        ("ruby", "# a\n=begin\nb\n=end\nc = 1 # d\n", 1, 4, 0),
        ("lua", "-- a\n--[[ b\nc ]] d()\n", 1, 2, 0),
        ("html", "<!-- a\nb -->\n<p>\n", 1, 2, 0),
        ("sql", "-- a\nSELECT '--' /* b */\n", 1, 1, 0),
        ("haskell", "-- a\n{- b\n-}\nf = 1\n", 1, 3, 0),
        ("python", "x = 1\n\n", None, None, 1),
        (None, "anything # at all\n\n", None, None, 1),
        ("rust", "fn f<'a>() {} // a\n// b\n", 1, 1, 0),
        ("batch", "REM a\n:: b\necho c\n", 1, 2, 0),
        ("php", "<?php # a\n// b\n/* c */\n$d = '//';\n", 2, 2, 0),
        ("toml", "# a\nb = '''\n# c\n'''\n", 3, 1, 0),
        ("css", "/* a */\nb { c: d }\n", 1, 1, 0),
        ("c", "/* never\nclosed", 0, 2, 0),
        ("c", "", 0, 0, 0),
        ("c", "\n", 0, 0, 1),
        ("c", "int a;\r\r// b\r\n", 1, 1, 1),
    ],
)
def test_kinds_of_lines(
    language: str | None,
    code: str,
    code_lines: int | None,
    comment_lines: int | None,
    blank_lines: int,
) -> None:
    size = measure_size(ToolSource(code), language)
    assert (size.code_lines, size.comment_lines, size.blank_lines) == (
        code_lines,
        comment_lines,
        blank_lines,
    )


@pytest.mark.parametrize(
    ("language", "code", "classes"),
    [
        ("java", "class A { Class<?> c = A.class; interface B {} }\nenum C { D }", 3),
        ("typescript", "class A {}\nconst b = 'class B';\ninterface C {}", 2),
        ("ruby", "class A\nend\nmodule B\n  class << self; end\nend", 2),
        ("php", "<?php class A {} echo A::class ; // class B", 1),
        ("c", "struct a { int b; };", None),
    ],
)
def test_classes(language: str, code: str, classes: int | None) -> None:
    assert measure_size(ToolSource(code), language).classes == classes


@given(st.sampled_from(KNOWN), st.text(alphabet="a\"'`/*-#{}<!>()\\ \n\r%;=", max_size=50))
def test_kinds_of_lines_add_up(language: str, code: str) -> None:
    size = measure_size(ToolSource(code), language)
    assert size.code_lines is not None
    assert size.comment_lines is not None
    assert size.lines == size.code_lines + size.comment_lines + size.blank_lines
    assert min(size.code_lines, size.comment_lines, size.blank_lines) >= 0


@given(st.sampled_from(KNOWN), st.text(alphabet="a\"'`/*-#{}<!>()\\ \n\r%;=", max_size=50))
def test_tokens_take_in_all_but_blanks(language: str, code: str) -> None:
    lexis = lexis_of(language)
    assert lexis is not None
    assert token_pattern(lexis).sub("", code).strip() == ""


@pytest.mark.parametrize("piece", ["a", '"', "/*", "(", "'a", "<!--", "`", "\\", " ", "\n", "#"])
def test_odd_text_takes_no_longer(piece: str) -> None:
    source = ToolSource(piece * (100_000 // len(piece)))
    started = time.process_time()
    for language in ("c", "html", "ruby", "swift", "lua"):
        measure_size(source, language)
    assert time.process_time() - started < 8
