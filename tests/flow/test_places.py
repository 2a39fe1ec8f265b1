"""Places are the same whether each node is asked or all are found in one pass."""

from __future__ import annotations

import time

import pytest
from codeintel_plugins.patterns.catalogue import for_language, shipped_rules
from codeintel_plugins.taint import TaintAnalyzer

from codeintel.contracts import AnalyzerRequest, Model
from codeintel.engine.dataflow import tree
from codeintel.engine.dataflow.tree import GRAMMARS, known_place, parse, span

ODD = [
    ("javascript", "  a(`x ${b} \n a ${'a'}`, 'é\U0001f600', /a/) ;; // é\n  /* a */ a"),
    ("javascript", "const x = <p> a {a} a <b/> </p>;"),
    ("python", 'if x:\n    a = f"a{a}a" "é" \\\n      "a"\n\n\nclass A: pass\n'),
    ("ruby", "a(<<~ONE, <<~TWO)\n  a\nONE\n  é #{a} a\nTWO\n%w[a a é]\n"),
    ("bash", 'cat <<E | a "$a$a"a\na $a a\nE\na=a${a:-a}\n'),
    ("php", "a <p><?= $a ?> é </p>\n<?php echo <<<E\na $a {$a}\nE;\n"),
    ("c", '#define A(a) a \\\n a\nint a = A("é" "a"), b;\n}}} int ('),
    ("rust", 'fn a() { a!("é{}", a); let r = r#"a"#; }'),
]


@pytest.fixture(autouse=True)
def all_lines_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "LONG_LINE", -1)


def check(code: str, language: str) -> None:
    tree = parse(code, language)
    left = [tree.root]
    while left:
        node = left.pop()
        asked = node.range()
        assert known_place(node) == (asked.start.index, asked.end.index), node.text()
        left += node.children()


@pytest.mark.parametrize(("language", "code"), ODD)
def test_places_in_odd_code(language: str, code: str) -> None:
    check(code, language)


@pytest.mark.parametrize("language", sorted(GRAMMARS))
def test_places_in_examples(language: str) -> None:
    for rule in for_language(shipped_rules(), language)[:25]:
        for code in (*rule.examples.bad, *rule.examples.good):
            check(code, language)


def test_nodes_of_another_tree_are_asked() -> None:
    first = parse("a = 1", "python")
    second = parse("\n\nb", "python")
    assert known_place(first.root) is None
    assert span(first.root) == (0, 5)
    assert known_place(second.root) == span(second.root) == (2, 3)


def test_a_file_of_one_line_takes_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    code = "".join(f"function f{i}(a){{var c=a+1;if(c)g(c,{{k:1}});}}" for i in range(2_300))
    assert len(code) > 100_000
    start = time.process_time()
    list(TaintAnalyzer().analyze(AnalyzerRequest(code, "javascript", Model.PRO)))
    assert time.process_time() - start < 4
