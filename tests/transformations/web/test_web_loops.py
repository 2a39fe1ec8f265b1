"""Counting loops: when they may iterate over elements, and when their limit stays the same."""

from __future__ import annotations

import pytest
from codeintel_plugins.transformations.web.rules.loop_limits import LOOP_LIMIT
from codeintel_plugins.transformations.web.rules.loops import FOR_OF
from single_rules import applied

HEAD = "function f(words: string[], s: string, n: number, grid: number[][], g: any) {\n"


def within(body: str) -> str:
    return f"{HEAD}{body}\n}}\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "for (let i = 0; i < words.length; i++) { const w = words[i]; g(w); }",
            "for (const w of words) { g(w); }",
        ),
        (
            "for (let i = 0; i < words.length; i += 1) { let w: string = words[i]; w += 1; g(w); }",
            "for (let w of words) { w += 1; g(w); }",
        ),
        (
            "for (let i = 0; i < words.length; i++) { const v = words[i]; words.push(v); }",
            "for (const v of words) { words.push(v); }",
        ),
        (
            "let t = 0; for (let i = 0; i < words.length; i++) t += words[i].length;",
            "let t = 0; for (const word of words) t += word.length;",
        ),
        (
            "const out = []; for (let i = 0; i < words.length; i++) { out.push(words[i]); }",
            "const out = []; for (const word of words) { out.push(word); }",
        ),
        (
            "const o = []; for (let i = 0; i < grid.length; i++) { o[0] = Math.abs(grid[i][0]); }",
            "const o = []; for (const item of grid) { o[0] = Math.abs(item[0]); }",
        ),
        (
            "const word = 1; for (let i = 0; i < words.length; i++) if (words[i]) return word;",
            "const word = 1; for (const item of words) if (item) return word;",
        ),
        (
            "function isIn(x: string) { return x === s; }\n"
            "for (let i = 0; i < words.length; i++) if (isIn(words[i])) return 1;",
            "function isIn(x: string) { return x === s; }\n"
            "for (const word of words) if (isIn(word)) return 1;",
        ),
    ],
)
def test_loops_that_only_read_elements_go_through_them(body: str, expected: str) -> None:
    assert applied(FOR_OF, within(body)) == within(expected)


@pytest.mark.parametrize(
    "body",
    [
        "for (let i = 0; i < s.length; i++) { const c = s[i]; g(c); }",
        "for (let i = 0; i < g.length; i++) { const c = g[i]; g(c); }",
        "for (let i = 1; i < words.length; i++) { const w = words[i]; g(w); }",
        "for (let i = 0; i < words.length - 1; i++) { const w = words[i]; g(w); }",
        "for (let i = 0; i <= words.length; i++) { const w = words[i]; g(w); }",
        "for (let i = 0; i < words.length; i += 2) { const w = words[i]; g(w); }",
        "for (let i = 0; i < words.length; i++) { const w = words[i]; g(w, i); }",
        "for (let i = 0; i < words.length; i++) { const w = words[i]; i++; g(w); }",
        "for (let i = 0; i < words.length; i++) { words[i] = 'a'; }",
        "for (let i = 0; i < words.length; i++) { words[i] += 'a'; }",
        "for (let i = 0; i < words.length; i++) { [words[i]] = ['a']; }",
        "for (let i = 0; i < words.length; i++) { delete words[i]; }",
        "for (let i = 0; i < words.length; i++) { const w = words[i]; words = []; g(w); }",
        "const h = () => { words = []; };\n"
        "for (let i = 0; i < words.length; i++) { const w = words[i]; h(); g(w); }",
        "for (let i = 0; i < words.length; i++) { g(words[i]); g(words[i]); }",
        "for (let i = 0; i < words.length; i++) { words.sort(); s += words[i]; }",
        "const o = words; for (let i = 0; i < words.length; i++) { o.pop(); s += words[i]; }",
        "for (let i = 0; i < words.length; i++) { g.x = 1; s += words[i]; }",
        "for (let i = 0; i < words.length; i++) { await 0; s += words[i]; }",
        "const fs = []; for (let i = 0; i < words.length; i++) { fs.push(() => words[i]); }",
        "const fs = [() => 1]; for (let i = 0; i < fs.length; i++) { s += fs[i](); }",
        "for (let i = 0, j = 1; i < words.length; i++) { s += words[i]; }",
        "for (let i = 0; i < words.length; i++) { // all\n const w = words[i]; g(w); g(i); }",
        "function change() { words.pop(); }\n"
        "for (let i = 0; i < words.length; i++) { change(); s += words[i]; }",
        "function change() { again(); }\nfunction again() { change(); words.pop(); }\n"
        "for (let i = 0; i < words.length; i++) { again(); s += words[i]; }",
        "const at = { includes(x: string) { words.pop(); return x; } };\n"
        "for (let i = 0; i < words.length; i++) { g.includes(words[i]); }",
        "const o = { get x() { return words.pop(); } };\n"
        "for (let i = 0; i < words.length; i++) { s += o.x + words[i]; }",
        "const o = { valueOf() { words.pop(); return 1; } };\n"
        "for (let i = 0; i < words.length; i++) { n += o + words[i].length; }",
    ],
)
def test_loops_that_do_more_stay(body: str) -> None:
    code = within(body).replace(
        "function f", "async function f" if "await" in body else "function f"
    )
    assert applied(FOR_OF, code) == code


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "for (let i = 0; i < s.length; i++) g(s[i]);",
            "for (let i = 0, length = s.length; i < length; i++) g(s[i]);",
        ),
        (
            "for (let i = 2; i <= Math.sqrt(n); i++) if (n % i === 0) return i;",
            "for (let i = 2, limit = Math.sqrt(n); i <= limit; i++) if (n % i === 0) return i;",
        ),
        (
            "for (let i = 0; i < words.length; i++) { words[i] = s; }",
            "for (let i = 0, length = words.length; i < length; i++) { words[i] = s; }",
        ),
        (
            "let i = 0;\nwhile (i < s.length) {\n  i += 2;\n}",
            "let i = 0;\nconst length = s.length;\nwhile (i < length) {\n  i += 2;\n}",
        ),
        (
            "for (let j = 0; j < grid[0].length; j++) { n += j; }",
            "for (let j = 0, length = grid[0].length; j < length; j++) { n += j; }",
        ),
        (
            "for (let i = 0; g(i) && i < s.length; i += 2) n += 1;",
            "for (let i = 0, length = s.length; g(i) && i < length; i += 2) n += 1;",
        ),
        (
            "for (let i = 0; i < s.length && g(i); i += 2) n += 1;",
            "for (let i = 0, length = s.length; i < length && g(i); i += 2) n += 1;",
        ),
    ],
)
def test_limits_that_stay_the_same_are_worked_out_once(body: str, expected: str) -> None:
    assert applied(LOOP_LIMIT, within(body)) == within(expected)


@pytest.mark.parametrize(
    "body",
    [
        "for (let i = 0; i < n; i++) g(i);",
        "for (let i = 0; i < g.length; i++) g(i);",
        "for (let i = 0; i < words.length; i++) g(i);",
        "for (let i = 0; i < words.length; i++) { words.push('a'); }",
        "for (let i = 0; i < words.length; i++) { words[i + 1] = 'a'; }",
        "for (let i = 0; i < words.length; i++) { words.length = 3; }",
        "for (let i = 0; i <= words.length; i++) { words[i] = 'a'; }",
        "for (let i = 0; i < s.length; i++) { s = s.trim(); }",
        "for (let i = 0; i <= Math.sqrt(n); i++) { n -= 1; }",
        "for (let i = 0; i < Math.random(); i++) { n -= 1; }",
        "for (let i = 0; i * i < n; i++) { g(i); }",
        "const h = () => { s = ''; };\nfor (let i = 0; i < s.length; i++) { h(); }",
        "while (words.length > 0) {\n  words.pop();\n}",
        "if (n) while (n < s.length) n++;",
        "let k = 0; while (n < 3 && grid[k].length > n) {\n  n++;\n}",
        "for (let i = 0; i < grid[i].length; i++) { n += i; }",
        "for (let i = 0; s && i < s.length; i++) { n += i; }",
        "for (let i = 0; n > 1 && s !== null && i < s.length; i++) { n += i; }",
        "for (let i = 0; i < grid[0].length; i++) { grid[0].push(1); }",
    ],
)
def test_limits_that_may_change_stay(body: str) -> None:
    assert applied(LOOP_LIMIT, within(body)) == within(body)


def test_names_are_new_and_lines_end_as_they_did() -> None:
    code = within("let length = 0;\r\n  while (length < s.length) {\r\n    length++;\r\n  }")
    expected = code.replace("  while", "  const sLength = s.length;\r\n  while")
    assert applied(LOOP_LIMIT, code) == expected.replace("< s.length", "< sLength")
    outer = "for (let i = 0; i < s.length; i++) for (let j = 0; j < s.length; j++) g(i, j);"
    assert "sLength = s.length; j < sLength" in applied(LOOP_LIMIT, within(outer))
