"""Rules that need to know what values can be: where it is sure, and where it is not."""

from __future__ import annotations

import pytest
from codeintel_plugins.transformations.web.rules import (
    Rule,
    arrays,
    expressions,
    faster,
)
from codeintel_plugins.transformations.web.rules.newer import (
    PREFER_AT,
    PREFER_INCLUDES,
    PREFER_TEMPLATE,
)
from codeintel_plugins.transformations.web.rules.syntax import ASSIGNMENT
from single_rules import applied

HEAD = (
    "function f(s: string, n: number, xs: number[], words: string[], m: Map<string, number>,\n"
    "  g: any, u: number | undefined, z: number | null, o?: string, b: bigint) {\n"
)
EQUAL = expressions.STRICT_EQUALITY


def within(body: str) -> str:
    return f"{HEAD}  {body}\n}}\n"


@pytest.mark.parametrize(
    ("rule", "body", "expected"),
    [
        (EQUAL, "return s == 'a';", "return s === 'a';"),
        (EQUAL, "return n % 2 != 0;", "return n % 2 !== 0;"),
        (EQUAL, "return s[0] == 'a';", "return s[0] === 'a';"),
        (EQUAL, "return xs[n] == n;", "return xs[n] === n;"),
        (EQUAL, "return typeof g == 'string';", "return typeof g === 'string';"),
        (EQUAL, "let t = 0; for (const x of xs) t += x; return t == 3;", "t === 3;"),
        (EQUAL, "return words.filter((w) => w == s);", "(w) => w === s)"),
        (EQUAL, "for (const c of s) if (c == 'a') return 1;", "c === 'a'"),
        (EQUAL, "for (const k in g) if (k == 'a') return 1;", "k === 'a'"),
        (EQUAL, "function h(): number { return 1; } return h() == n;", "h() === n"),
        (expressions.DEFAULT, "return u ? u : 1;", "return u || 1;"),
        (expressions.MISSING, "return u === undefined ? 1 : u;", "return u ?? 1;"),
        (expressions.MISSING, "return z !== null ? z : 1;", "return z ?? 1;"),
        (expressions.MISSING, "g(o !== undefined ? o : s);", "g(o ?? s);"),
        (expressions.ASSIGN_MISSING, "if (!g) { g = 1; }", "  g ||= 1;\n"),
        (expressions.ASSIGN_MISSING, "if (u === undefined) u = 1;", "  u ??= 1;\n"),
        (expressions.ASSIGN_MISSING, "if (g == null) g = 1;", "  g ??= 1;\n"),
        (expressions.NUMBER_CHECKS, "return isNaN(n);", "return Number.isNaN(n);"),
        (PREFER_INCLUDES, "return s.indexOf(s[n]) !== -1;", "return s.includes(s[n]);"),
        (PREFER_INCLUDES, "return words.indexOf(s) < 0;", "return !words.includes(s);"),
        (PREFER_INCLUDES, "return xs.indexOf(3) > -1;", "return xs.includes(3);"),
        (PREFER_AT, "return s[s.length - 1] === 'a';", "return s.at(-1) === 'a';"),
        (PREFER_AT, "return xs[xs.length - 2] === 1;", "return xs.at(-2) === 1;"),
        (PREFER_TEMPLATE, "return 'a' + o + u;", "return `a${o}${u}`;"),
        (PREFER_TEMPLATE, "return s[0] + 'a' + b;", "return s[0] + 'a' + b;"),
        (PREFER_TEMPLATE, "return s + 'a' + s[0];", "return `${s}a${s[0]}`;"),
        (ASSIGNMENT, "xs[n] = xs[n] + 1;", "xs[n] += 1;"),
        (ASSIGNMENT, "g.x = g.x * 2;", "g.x *= 2;"),
        (arrays.SPREAD_ARRAY, "return Array.from(new Set(xs));", "[...new Set(xs)]"),
        (arrays.SPREAD_ARRAY, "return Array.from(m.keys());", "[...m.keys()]"),
        (arrays.SPREAD_ARRAY, "return [].slice.call(arguments);", "[...arguments]"),
        (arrays.SPREAD_CALL, "return Math.max.apply(null, xs);", "Math.max(...xs)"),
        (
            arrays.SWAP,
            "const t = xs[0]; xs[0] = xs[n - 1]; xs[n - 1] = t;",
            "  [xs[0], xs[n - 1]] = [xs[n - 1], xs[0]];\n",
        ),
        (arrays.TYPED_ARRAY, "const a = new Array<number>();", "const a: number[] = [];"),
        (faster.REGEXP_TEST, "if (s.match(/a/)) g();", "if (/a/.test(s)) g();"),
        (faster.REGEXP_TEST, "return s.match(/a/g) === null;", "return !/a/g.test(s);"),
    ],
)
def test_what_is_sure_is_changed(rule: Rule, body: str, expected: str) -> None:
    result = applied(rule, within(body))
    assert expected in result
    assert applied(rule, result) == result


@pytest.mark.parametrize(
    ("rule", "body"),
    [
        (EQUAL, "return g == 'a';"),
        (EQUAL, "return s == n;"),
        (EQUAL, "return n == b;"),
        (EQUAL, "return u == null;"),
        (EQUAL, "return n == null;"),
        (EQUAL, "return z == null;"),
        (EQUAL, "return undefined != s;"),
        (EQUAL, "return o == z;"),
        (EQUAL, "return xs[s] == n;"),
        (EQUAL, "return g[0] == 'a';"),
        (EQUAL, "return m.get(s) == null;"),
        (EQUAL, "let t: any = 0; t = g; return t == 3;"),
        (EQUAL, "let t; t = s; t = n; return t == 3;"),
        (EQUAL, "var [t] = g; return t == 3;"),
        (EQUAL, "return g.filter((w) => w == s);"),
        (EQUAL, "const a = []; a.push(s); return a[0] == 3;"),
        (EQUAL, "type T = any; const t: T = g; return t == 3;"),
        (EQUAL, "function h<number>(t: number) { return g(t) == 3; }"),
        (EQUAL, "async function h(): Promise<number> { return 1; } return h() == n;"),
        (EQUAL, "const Number = g; return Number(1) == 1;"),
        (EQUAL, "const q = (p = g) => p == 1;"),
        (expressions.DEFAULT, "return u ? n : 1;"),
        (expressions.DEFAULT, "return g.x ? g.x : 1;"),
        (expressions.MISSING, "return g === undefined ? 1 : g;"),
        (expressions.MISSING, "return z === undefined ? 1 : z;"),
        (expressions.MISSING, "return u === undefined ? u : 1;"),
        (expressions.ASSIGN_MISSING, "if (!g) { g = 1; } else { n = 1; }"),
        (expressions.ASSIGN_MISSING, "if (!g) { n = 1; }"),
        (expressions.ASSIGN_MISSING, "if (g === undefined) g = 1;"),
        (expressions.ASSIGN_MISSING, "if (!g.x) g.x = 1;"),
        (expressions.NUMBER_CHECKS, "return isNaN(s);"),
        (expressions.NUMBER_CHECKS, "return isNaN(g);"),
        (expressions.NUMBER_CHECKS, "return isNaN(b);"),
        (PREFER_INCLUDES, "return xs.indexOf(n) !== -1;"),
        (PREFER_INCLUDES, "return g.indexOf(s) !== -1;"),
        (PREFER_INCLUDES, "return s.indexOf(g) !== -1;"),
        (PREFER_INCLUDES, "return words.indexOf(s, 1) !== -1;"),
        (PREFER_AT, "return g[g.length - 1] === 'a';"),
        (PREFER_AT, "xs[xs.length - 1] = 1;"),
        (PREFER_AT, "return xs[words.length - 1] === 1;"),
        (PREFER_AT, "n = xs[xs.length - 1];"),
        (PREFER_TEMPLATE, "return 'a' + g;"),
        (PREFER_TEMPLATE, "return u + n + 'a';"),
        (ASSIGNMENT, "g.x.y = g.x.y + 1;"),
        (ASSIGNMENT, "g[o2()] = g[o2()] + 1;"),
        (ASSIGNMENT, "g[g] = g[g] + 1;"),
        (ASSIGNMENT, "g.x = g.x || 1;"),
        (ASSIGNMENT, "g.x = 1 + g.x;"),
        (arrays.SPREAD_ARRAY, "return Array.from(g);"),
        (arrays.SPREAD_ARRAY, "return Array.from({ length: 3 });"),
        (arrays.SPREAD_ARRAY, "Array.from(xs).sort();"),
        (arrays.SPREAD_ARRAY, "return Array.from(xs, (x) => x);"),
        (arrays.SPREAD_CALL, "return Math.max.apply(null, g);"),
        (arrays.SPREAD_CALL, "return g.max.apply(g, xs);"),
        (arrays.SWAP, "const t = g[0]; g[0] = g[1]; g[1] = t;"),
        (arrays.SWAP, "const t = xs[0]; xs[0] = xs[1]; xs[1] = t; g(t);"),
        (arrays.SWAP, "const t = xs[0]; xs[0] = xs[1]; xs[2] = t;"),
        (arrays.SWAP, "const t = xs[n++]; xs[n++] = xs[1]; xs[1] = t;"),
        (arrays.SWAP, "g()\n  const t = xs[0]; xs[0] = xs[1]; xs[1] = t;"),
        (arrays.TYPED_ARRAY, "const a = new Array<number>(3);"),
        (arrays.TYPED_ARRAY, "const a: any = new Array<number>();"),
        (faster.REGEXP_TEST, "return s.match(/a/);"),
        (faster.REGEXP_TEST, "if (s.match(o)) g();"),
        (faster.REGEXP_TEST, "if (g.match(/a/)) g();"),
    ],
)
def test_what_is_not_sure_stays(rule: Rule, body: str) -> None:
    assert applied(rule, within(body)) == within(body)


def test_without_types_less_is_sure() -> None:
    code = "function f(a, b) { const n = a.length; for (const k in a) if (k == b || n == 1) g(k); }"
    assert applied(EQUAL, code, "javascript") == code
    code = "function f(a) { let t = 0; t += 1; return t == 1 && typeof a == 'string'; }"
    assert applied(EQUAL, code, "javascript") == code.replace("==", "===")
