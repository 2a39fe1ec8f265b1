"""The public interface in each language, and the changes that are detected."""

from __future__ import annotations

import pytest

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.comparison import Comparison, Evidence
from codeintel.engine.equivalence.interfaces import compare, public_names, public_types

PASSED, FAILED = CheckStatus.PASSED, CheckStatus.FAILED
UNDECIDED = CheckStatus.NOT_APPLICABLE


def compared(before: str, after: str, by_model: bool = True) -> Evidence:
    return compare(
        Comparison(
            before=before, after=after, language="python", target="python", by_model=by_model
        )
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(a, b=1): return a\n", "def f(a: int, b: int = 1) -> int:\n    return a + 0\n"),
        ("class A(object): pass\n", "class A: pass\n"),
        ("class E(IOError): pass\n", "class E(OSError): pass\n"),
        ("f = lambda a, *b: a\n", "def f(a, *b):\n    return a\n"),
        ("def f(a=dict()): pass\n", "def f(a={}): pass\n"),
        ("def f(a=1_000): pass\n", "def f(a=1000): pass\n"),
        ("import os, sys\ndef f(): pass\n", "def f(): pass\n"),
        ("from typing import List\nx = 1\n", "x = 1\n"),
        ("def f(): pass\ndef _g(): pass\n", "def f(): pass\ndef _h(): pass\n"),
        ("def f(): pass\n", "def f(): pass\ndef _new(): pass\n"),
        (
            "import collections\nP = collections.namedtuple('P', 'x')\n",
            "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n",
        ),
        (
            "class A:\n    def __init__(self): self.x = 1\n",
            "class A:\n    def __init__(self):\n        self.x = 1\n        self._y = 2\n",
        ),
        ("for i in y:\n    x = i\n", "for j in y:\n    x = j\n"),
        (
            "x = 1\nif __name__ == '__main__':\n    y = 2\n",
            "x = 1\nif __name__ == '__main__': f()\n",
        ),
        (
            "import functools\n@functools.lru_cache(maxsize=None)\ndef f(): pass\n",
            "import functools\n@functools.cache\ndef f(): pass\n",
        ),
        ("@overload\ndef f(a: int): ...\ndef f(a): pass\n", "def f(a): pass\n"),
    ],
)
def test_the_same_interface(before: str, after: str) -> None:
    evidence = compared(before, after)
    assert evidence.status is PASSED, evidence.text
    assert "public name" in evidence.text


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ("def f(): pass\nx = 1\n", "x = 1\n", "`f`"),
        ("def f(a): pass\n", "def f(b): pass\n", "`f`"),
        ("def f(a): pass\n", "def f(a=1): pass\n", "`f`"),
        ("def f(a=1): pass\n", "def f(a=2): pass\n", "`f`"),
        ("def f(a=1): pass\n", "def f(a=True): pass\n", "`f`"),
        ("def f(a, b): pass\n", "def f(a, *, b): pass\n", "`f`"),
        ("def f(a, b): pass\n", "def f(a, /, b): pass\n", "`f`"),
        ("def f(a, *b): pass\n", "def f(a, *b, **c): pass\n", "`f`"),
        ("def f(): pass\n", "async def f(): pass\n", "`f`"),
        ("def f(): pass\n", "class f: pass\n", "`f`"),
        ("class A(B): pass\n", "class A: pass\n", "`A`"),
        ("class A:\n    def f(self): pass\n", "class A: pass\n", "`A.f`"),
        (
            "class A:\n    def f(self): pass\n",
            "class A:\n    @property\n    def f(self): pass\n",
            "`A.f`",
        ),
        (
            "class A:\n    @staticmethod\n    def f(x): pass\n",
            "class A:\n    def f(x): pass\n",
            "`A.f`",
        ),
        (
            "class A:\n    def __init__(self): self.x = 1\n",
            "class A:\n    def __init__(self): self.y = 1\n",
            "`A.x`",
        ),
        ("class A:\n    class B:\n        z = 1\n", "class A:\n    class B: pass\n", "`A.B.z`"),
        (
            "@dataclass\nclass A:\n    x: int\n    y: int\n",
            "@dataclass\nclass A:\n    y: int\n    x: int\n",
            "`A`",
        ),
        (
            "@dataclass\nclass A:\n    x: int\n",
            "@dataclass(frozen=True)\nclass A:\n    x: int\n",
            "`A`",
        ),
        ("LIMIT = 1\nx = 2\n", "x = 2\n", "`LIMIT`"),
        ("__all__ = ['a', 'b']\na = b = 1\n", "__all__ = ['a']\na = b = 1\n", "`__all__`"),
        ("__all__ = ['_a']\n_a = 1\n", "__all__ = ['_a']\n", "`_a`"),
        ("from .core import run\nx = 1\n", "x = 1\n", "`run`"),
        ("import os as os\nx = 1\n", "x = 1\n", "`os`"),
        ("class C: pass\n", "class C:\n    def __eq__(self, other): pass\n", "`C.__eq__`"),
        ("class C(B): pass\n", "class C(B):\n    x = 1\n", "`C.x`"),
        (
            "class A: pass\nclass B(A): pass\n",
            "class A: pass\nclass B(A):\n    def g(self): pass\n",
            "`B.g`",
        ),
        ("if x:\n    def f(): pass\nelse:\n    def f(a): pass\n", "def f(): pass\n", "`f`"),
        ("try:\n    import json5\nexcept ImportError:\n    json5 = None\n", "x = 1\n", "`json5`"),
    ],
)
def test_another_interface(before: str, after: str, named: str) -> None:
    evidence = compared(before, after)
    assert evidence.status is FAILED, evidence.text
    assert named in evidence.text


@pytest.mark.parametrize("by_model", [False, True])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(): pass\n", "def f(): pass\ndef g(): pass\n"),
        ("def f(): return 5\n", "LIMIT = 5\ndef f(): return LIMIT\n"),
        ("class C: pass\n", "class C:\n    x = 1\n"),
    ],
)
def test_names_may_be_added(before: str, after: str, by_model: bool) -> None:
    evidence = compared(before, after, by_model=by_model)
    assert evidence.status is PASSED, evidence.text
    assert "1 new" in evidence.text


def test_a_rule_may_add_what_python_calls() -> None:
    after = "class C:\n    def __eq__(self, other): pass\n"
    assert compared("class C: pass\n", after, by_model=False).status is PASSED


def test_what_cannot_be_compared() -> None:
    assert compared("f()\n", "f()\n").status is UNDECIDED
    assert compared("x = (", "x = 1").status is UNDECIDED
    assert compared("x = 1", "x = (").status is UNDECIDED
    languages = Comparison(
        before="x = 1", after="var x = 1", language="python", target="javascript"
    )
    assert compare(languages).status is UNDECIDED
    assert public_names("p { color: red }", "css") is None


def test_deep_and_long_code() -> None:
    code = (
        "class A:\n"
        + "".join(f"{'  ' * n}class B{n}:\n" for n in range(1, 90))
        + " " * 200
        + "x = 1\n"
    )
    assert compared(code, code).status is PASSED


def test_types_of_typescript_count_unless_they_are_taken_away() -> None:
    typed = "export interface A { x: number }\nexport const f = (a: A) => a;\n"
    plain = "export const f = (a) => a;\n"
    kept = Comparison(before=typed, after=typed, language="typescript", target="typescript")
    assert compare(kept).status is PASSED
    lost = Comparison(before=typed, after=plain, language="typescript", target="typescript")
    assert compare(lost).status is FAILED
    taken = Comparison(before=typed, after=plain, language="typescript", target="javascript")
    assert compare(taken).status is PASSED
    broken = Comparison(before=typed, after="f(1);", language="typescript", target="javascript")
    assert compare(broken).status is FAILED


CASES = {
    "java": (
        """public class A<T> { public int x, y; A(int a) {} protected static void f(int a,
        String... b)
        {} private void g() {} enum E { P, Q } record R(int a) {} interface I { int h(); } }""",
        "A, A.A(1), A.E, A.E.P, A.E.Q, A.I, A.I.h(0), A.R, A.R(1), A.x, A.y, static A.f(2)",
    ),
    "csharp": (
        """namespace N; public class A { public int X { get; set; } private int y; int z;
        public static int F(int a, string b) => 1; internal event E Q; protected A(int q) {} }
        public interface I { void G(); }""",
        "A, A.A(q), A.Q, A.X, I, I.G(), static A.F(a, b)",
    ),
    "php": (
        """<?php interface I { const X = 1; function a(int $b, ...$c); }
        class C { public $a; private $c; protected static function f($x) {} } function g($q) {}""",
        "C, C.$a, I, I.X, I.a(b, c), g(q), static C.f(x)",
    ),
    "go": (
        """package p
type S struct { A, b int }
type I interface { M(a int, b string) error }
type small int
func (s *S) F(a, b int, c ...string) {}
func f() {}
const X, Y = 1, 2
""",
        "I, I.M(2), S, S.A, S.F(3), X, Y",
    ),
    "rust": (
        """pub struct A { pub x: i32, y: i32 } impl A { pub fn f(&self, a: i32) {} fn g() {} }
        pub trait T { fn g(&self); } pub enum E { P } pub(crate) fn h() {} fn k() {}""",
        "A, A.f(2), A.x, E, E.P, T, T.g(1), h(0)",
    ),
    "c": (
        """#define M 1
static int a(void) { return 1; }
int *b(int x, char **y);
struct s { int m; };
enum e { P };
int g, h = 2;
int n(void) { return 1; }
""",
        "M, P, b(2), e, g, h, n(0), s, s.m",
    ),
    "cpp": (
        """namespace n { class A { int x; public: int f(int a, int b = 1) const; int y; A(int z);
        ~A(); private: int h(); }; template <class T> T k(T t) { return t; } } static int s;""",
        "n.A, n.A.A(1), n.A.f(2) const, n.A.y, n.A.~A(0), n.k(1)",
    ),
    "ruby": (
        """class A
  attr_reader :x, :y
  def self.z(a, k:, *r, &b); end
  private
  def q; end
  public def w; end
  private :x
  C = 1
end
""",
        "A, A.C, A.w(0), A.y(0), static A.z(2, k:)",
    ),
    "javascript": (
        """export default class A { #p = 1; static q = 2; m(a, b = 1, ...c) {} get x() {
        return 1; } }
        export const f = (a) => a, g = 1; function h(z) {} export { h as i }; function own() {}""",
        "default, default.m(3), f(1), g, get default.x(0), i(1), static default.q",
    ),
    "typescript": (
        """export abstract class A { private x: number = 1; m(this: A, a?: string): void {}
        abstract q(): void; } export interface I {} export enum E { P }""",
        "A, A.m(1), E, E.P",
    ),
    "tsx": ("export const V = (p: P) => <b>{p.x}</b>;", "V(1)"),
}


@pytest.mark.parametrize("language", CASES)
def test_what_is_public(language: str) -> None:
    code, wanted = CASES[language]
    assert ", ".join(sorted(public_names(code, language) or ())) == wanted


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("module.exports = { k, l: 1, m(a) {} }; function k(x, y) {}", {"k(2)", "l", "m(1)"}),
        ("exports.n = function (a) {};", {"n(1)"}),
        (
            "function k(x, y) {} const z = a => 1; let {q, w: [r = 2]} = 1",
            {"k(2)", "z(1)", "q", "r"},
        ),
        ("import x from 'x'; function k() {}", set()),
        ("export * from './x';", {"* from './x'"}),
    ],
)
def test_what_scripts_give_away(code: str, wanted: set[str]) -> None:
    assert public_names(code, "javascript") == wanted


def test_types_are_told_apart() -> None:
    code, _ = CASES["typescript"]
    assert public_types(code, "typescript") == {"A.q(0)", "I"}
    assert public_types(code, "java") is None


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("java", "class A { void f(int a) {} }", "class A { private void f(int a) {} }"),
        ("java", "class A { void f(int a) {} }", "class A { void f(int a, int b) {} }"),
        ("csharp", "class A { public void F(int a) {} }", "class A { public void F(int b) {} }"),
        ("go", "package p\nfunc F() {}\n", "package p\nfunc f() {}\n"),
        ("rust", "pub fn f() {}", "fn f() {}"),
        ("c", "int f(void) { return 1; }", "static int f(void) { return 1; }"),
        ("ruby", "def f(a); end", "def f(a, b); end"),
        ("php", "<?php function f($a) {}", "<?php function f($b) {}"),
        ("javascript", "export function f(a) {}", "export function f(a, b) {}"),
        ("typescript", "export class A { m() {} }", "export class A { private m() {} }"),
    ],
)
def test_what_callers_notice_is_different(language: str, before: str, after: str) -> None:
    assert public_names(before, language) != public_names(after, language)


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("ruby", "class A\ndef x\n@x\nend\nend", "class A\nattr_reader :x\nend"),
        (
            "csharp",
            "class A { public int X { get { return 1; } } }",
            "class A { public int X => 1; }",
        ),
        ("c", "int main() { return 0; }", "int main(void) { return 0; }"),
        ("java", "class A { void f(int a[]) {} }", "class A { void f(int[] b) {} }"),
        ("javascript", "export function f(a) {}", "export const f = (b) => {};"),
    ],
)
def test_what_nobody_notices_is_the_same(language: str, before: str, after: str) -> None:
    assert public_names(before, language) == public_names(after, language)


@pytest.mark.parametrize("language", CASES)
def test_what_cannot_be_read_is_not_known(language: str) -> None:
    assert public_names("<?php ((( {{{ class", language) is None
    assert public_names("\ud800", language) is None


def test_other_languages_are_not_known() -> None:
    assert public_names("x", "lua") is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "export abstract class A { abstract z: string; declare y: number; x = 1; }",
            "export class A { x = 1; }",
        ),
        ("type A = 1; const b = 2; export { type A, b };", "const b = 2; export { b };"),
    ],
)
def test_what_is_erased_is_public_in_typescript_only(before: str, after: str) -> None:
    def compared(target: str) -> CheckStatus:
        comparison = Comparison(before=before, after=after, language="typescript", target=target)
        return compare(comparison).status

    assert compared("javascript") is CheckStatus.PASSED
    assert compared("typescript") is CheckStatus.FAILED


def test_a_cast_hides_no_function() -> None:
    comparison = Comparison(
        before="export const h = (function (a) {} as T)!, k = <T>((b) => 1);",
        after="export const h = (function (a) {}), k = ((b) => 1);",
        language="typescript",
        target="javascript",
    )
    assert compare(comparison).status is CheckStatus.PASSED
