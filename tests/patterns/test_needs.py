"""Rules are ruled out by their needs only when they cannot match."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from codeintel_plugins.patterns.ascii_expressions import ascii_expression
from codeintel_plugins.patterns.catalogue import for_language, shipped_rules
from codeintel_plugins.patterns.features import Features, searcher
from codeintel_plugins.patterns.needs import (
    NOTHING,
    AllOf,
    Need,
    NodeOf,
    OneOf,
    Word,
    expression_needs,
    expressions_in,
    needs,
)
from hypothesis import given, strategies as st

from codeintel.engine.dataflow.lowering.rust_forms import with_macros_as_calls
from codeintel.engine.dataflow.tree import parse

if TYPE_CHECKING:
    from ast_grep_py import SgNode

CALL, FIRST = NodeOf(("call",)), Word("first")
CALLED = CALL, NodeOf(("argument_list",))


@pytest.mark.parametrize(
    ("match", "need"),
    [
        ({"pattern": "os.system($CMD)"}, AllOf((Word("system"), NodeOf(("attribute",)), *CALLED))),
        ({"pattern": "first($$$ARGS)"}, AllOf((FIRST, *CALLED))),
        ({"pattern": "$ANY"}, NOTHING),
        ({"kind": "call"}, CALL),
        ({"kind": "call", "regex": "^ab$"}, AllOf((CALL, NodeOf(("call",), "^ab$")))),
        ({"any": [{"kind": "call"}, {"kind": "string"}]},
         AllOf((NodeOf(("call", "string")), OneOf((CALL, NodeOf(("string",))))))),
        ({"any": [{"pattern": "first()"}, {"regex": "."}]}, OneOf((
            AllOf((FIRST, *CALLED)), NodeOf((), ".")))),
        ({"all": [{"kind": "call"}, {"regex": "SECOND"}]},
         AllOf(("second", CALL, NodeOf(("call",), "SECOND")))),
        ({"all": [{"kind": "call"}, {"kind": "string"}]}, OneOf(())),
        ({"kind": "call", "not": {"pattern": "other()"}}, CALL),
        ({"kind": "call", "has": {"field": "function", "regex": "^x$"}}, AllOf((
            CALL, NodeOf((), "", ("call",), "function"),
            NodeOf((), "^x$", ("call",), "function")))),
        ({"kind": "call", "has": {"field": "function", "stopBy": "end", "kind": "string"}},
         AllOf((CALL, NodeOf(("string",))))),
        ({"inside": {"stopBy": "end", "pattern": "outer()"}}, AllOf((Word("outer"), *CALLED))),
        ({"matches": "util"}, AllOf((Word("known"), *CALLED))),
        ({"pattern": {"context": "def wrapper():\n    dangerous($X)", "selector": "call"}},
         AllOf((Word("dangerous"), *CALLED))),
        ({"pattern": "first($LIMITED)"}, AllOf((FIRST, *CALLED, NodeOf((), "^l$")))),
        ({"kind": "string", "pattern": "$LIMITED"}, AllOf((
            NodeOf(("string",)), NodeOf(("string",), "^l$")))),
    ],
)  # fmt: skip
def test_what_rules_need(match: dict[str, Any], need: Need) -> None:
    utils = {"util": {"pattern": "known()"}}
    constraints = {"LIMITED": {"regex": "^l$"}, "OTHER": {"regex": "^o$"}}
    found = needs(match, utils, constraints, ["python"])
    assert _sorted(found) == _sorted(need)


def _sorted(need: Need) -> object:
    """Return the need without the order of its parts."""
    if isinstance(need, AllOf | OneOf):
        return type(need).__name__, frozenset(map(_sorted, need.parts))
    return need


@pytest.mark.parametrize(
    ("expression", "need"),
    [
        ("^(?:md5|sha1)\\.", OneOf(("md5", "sha1"))),
        ("(?i)PassWord", "password"),
        ("a+bcd", "bcd"),
        ("(?:abc)?def", "def"),
        ("(?!abc)def", "def"),
        ("(?:abc){2}", "abc"),
        ("[abc]{3}", NOTHING),
        ("ab|cdef", NOTHING),
        ("((", NOTHING),
    ],
)
def test_what_expressions_need(expression: str, need: Need) -> None:
    assert expression_needs(expression) == need


EXPRESSIONS = sorted({each for rule in shipped_rules() for each in expressions_in(rule.need)})
READ_BY_BOTH = [each for each in EXPRESSIONS if expression_needs(each) != NOTHING]


@given(st.data())
def test_text_that_an_expression_is_found_in_has_what_it_needs(data: st.DataObject) -> None:
    expression = data.draw(st.sampled_from(READ_BY_BOTH))
    text = data.draw(st.from_regex(expression))
    assert re.search(expression, text)
    assert Features(text, list).may_match(expression_needs(expression))


def test_re2_reads_the_expressions() -> None:
    unread = [each for each in EXPRESSIONS if searcher(each) is None]
    assert len(unread) < 5


@pytest.mark.parametrize("expression", [r"\Aab", r"ab\z", "[a-z&&[^b]]", r"(?x) a b"])
def test_expressions_that_differ_are_left_to_ast_grep(expression: str) -> None:
    assert searcher(expression) is None


@pytest.mark.parametrize(
    ("expression", "ascii_only"),
    [
        (r"^\w+\s*$", r"^[0-9A-Za-z_]+[\t-\r\x20]*$"),
        (r"[\w.-]{2}", r"[0-9A-Za-z_.-]{2}"),
        (r"\bif\b[^\d]", r"(?-u:\b)if(?-u:\b)[^0-9]"),
        (r"[]\w]\w[^]\s]", r"[]0-9A-Za-z_][0-9A-Za-z_][^]\t-\r\x20]"),
        (r"\\w\[\w", r"\\w\[[0-9A-Za-z_]"),
        (r"[a[\d]]\d", r"[a[0-9]][0-9]"),
    ],
)
def test_expressions_for_ascii(expression: str, ascii_only: str) -> None:
    assert ascii_expression(expression) == ascii_only


def _trees(code: str, language: str) -> list[SgNode]:
    tree = parse(code, language)
    exposed = with_macros_as_calls(code) if tree.language == "rust" else None
    return [tree.root] if exposed is None else [tree.root, exposed]


def _found(tree: SgNode, config: Any) -> list[object]:
    return [(node.kind(), node.text()) for node in tree.find_all(config)]


LANGUAGES = sorted({name for rule in shipped_rules() for name in rule.languages})


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_rule_is_ruled_out_of_code_that_it_matches(language: str) -> None:
    """Each rule is tried on its own examples, and on those of a few other rules."""
    rules = [rule for rule in for_language(shipped_rules(), language) if rule.match]
    matched = 0
    for number, of in enumerate(rules):
        tried = {each.id: each for each in (of, *rules[number % 60 :: 60])}
        for code in of.examples.bad[:1]:
            trees = _trees(code, language)
            features = Features(code, partial(list, trees))
            for rule in tried.values():
                found = [_found(tree, rule.config) for tree in trees]
                assert features.may_match(rule.need) or not any(found), rule.id
                matched += any(map(bool, found))
                if found[0] and code.isascii():
                    assert _found(trees[0], rule.ascii_config) == found[0], rule.id
    assert matched >= len(rules)


@pytest.mark.parametrize("name", ["größe", "re\x0bsult", "\N{KELVIN SIGN}ey"])
def test_texts_that_engines_read_differently_rule_nothing_out(name: str) -> None:
    code = f"check('{name}')\n"
    tree = parse(code, "python")
    need = needs({"kind": "string", "regex": r"^'\w+'$"}, {}, {}, ["python"])
    assert Features(code, lambda: [tree.root]).may_match(need)


def test_texts_beyond_the_limit_rule_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = parse("first('second')\n", "python")
    need = NodeOf(("string",), "^'third'$")
    assert not Features("", lambda: [tree.root]).may_match(need)
    monkeypatch.setattr("codeintel_plugins.patterns.features.MAX_TEXTS", 3)
    assert Features("", lambda: [tree.root]).may_match(need)


def test_most_rules_need_something() -> None:
    rules = [rule for rule in shipped_rules() if rule.match]
    assert sum(rule.need != NOTHING for rule in rules) > len(rules) * 0.99
