"""Code that was written to be expensive ends in time; no code makes reading or execution raise."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings, strategies as st
from marked_code import found_in

from codeintel.engine.symbolic.machine import MAX_SECONDS

SLACK = 2.5
"""Seconds for parsing and for the work between two checks of the clock, on a busy machine."""


def lines(template: str, count: int, first: int = 0) -> str:
    """Return a line for each number; `@` is the number, `~` the one before it."""
    numbers = range(first, first + count)
    return "\n".join(template.replace("@", str(n)).replace("~", str(n - 1)) for n in numbers)


def function(body: str, parameters: str = "int n, char *p") -> str:
    return f"int f({parameters}) {{\n{body}\nreturn 0;\n}}\n"


CODES = {
    "blocks": function("{\n" * 4000 + "}\n" * 4000),
    "brackets": function("n = " + "(" * 5000 + "n" + ")" * 5000 + ";"),
    "namespaces": "namespace a {\n" * 3000 + "}\n" * 3000,
    "structures": "struct a {\n" * 3000 + "int x; } y;\n" * 3000,
    "preprocessor-branches": function("#if A\n" + lines("n++;\n#elif B@", 2000) + "\n#endif"),
    "preprocessor-branches-outside": "#if A\n"
    + lines("int f@(void);\n#elif B@", 2000)
    + "\n#endif",
    "else-if": function("if (n) ;\n" + lines("else if (n == @) n++;", 2000)),
    "branches": function(lines("if (n > @) n += @; else p[n] = n;", 2000)),
    "branches-with-memory": function(lines("char *v@ = malloc(n + @); if (!v@) return 1;", 1000)),
    "sum": function("n = n\n" + "+ n\n" * 20_000 + ";"),
    "conditions": function("if (" + lines("p[@] ||", 200) + " n) n = 1;"),
    "products": function("n = " + lines("(n + p[@] + 1) *", 100) + " n;"),
    "squares": function("n = 99999999;\n" + "n *= n;\n" * 5000),
    "shifts": function("n = 1;\n" + "n <<= 62;\n" * 5000 + "p[n] = 1;"),
    "great-number": function(f"p[0x{'F' * 50_000}] = 1; n = {'9' * 40_000};"),
    "great-width": function(f'char b[9]; sprintf(b, "%{"9" * 5000}d%.{"9" * 5000}s", n, p);'),
    "broken-format": function(f'char b[9]; sprintf(b, "%{"0" * 50_000}", n);'),
    "broken-scan": function(f'char b[9]; sscanf(p, "{"%[^" * 20_000}", b);'),
    "endless-loops": function("for (;;) { while (1) { do { n++; } while (n); } }\n" * 300),
    "nested-loops": function(
        lines("for (int i@ = 0; i@ < n; i@++) {", 40) + "p[i0 + i9] = n;" + "}" * 40
    ),
    "loops": function("for (int i = 0; i < n; i++) if (p[i]) p[i] = n;\n" * 1000),
    "labels": function(lines("l@: if (n == @) goto l7;", 2000)),
    "cases": function("switch (n) {\n" + lines("case @: n += @;", 3000) + "\n}"),
    "mutual-recursion": lines("int f@(int n);", 1000)
    + lines("int f@(int n) { return f0(n) + f7(n - 1) + f~(n - 2); }", 999, 1),
    "tree-of-calls": "int f0(int n) { return n; }\n"
    + lines("int f@(int n) { if (n > @) n = f~(n) + f~(n + 1); return f~(n); }", 400, 1),
    "growing-structures": "struct s0 { char a; };\n"
    + lines("struct s@ { struct s~ a, b; };", 60, 1)
    + function("struct s60 x; p[sizeof x] = 1;"),
    "structures-in-each-other": "struct a { struct b b; };\nstruct b { struct a a; };\n"
    + function("p[sizeof(struct a)] = 1;"),
    "types-of-each-other": "typedef a b;\ntypedef b a;\n" + function("a x; b y = x;"),
    "growing-constants": "#define A0 n\n"
    + lines("#define A@ (A~ + A~)", 60, 1)
    + function("p[A60] = 1;"),
    "squared-constants": "#define A0 999\n"
    + lines("#define A@ (A~ * A~)", 60, 1)
    + function("char b[A60]; b[0] = 1;"),
    "growing-macros": "#define A0(x) (x + x)\n"
    + lines("#define A@(x) (A~(x) + A~(x) + A~(x) + A~(x) + A~(x) + A~(x))", 9, 1)
    + function("n = A9(A8(A7(A6(n))));"),
    "macros-of-each-other": "#define A(x) B(x)\n#define B(x) A(x)\n" + function("n = A(B(n));"),
    "one-line": function(lines("int v@ = n + @; p[v@] = v~;", 3000).replace("\n", " ")),
    "pointers": function("n = 1;", f"int {'*' * 30_000}p"),
    "dimensions": function("p[1][1] = 1;", f"int p{'[2]' * 20_000}"),
    "templates": "void f() { " + "std::vector<" * 3000 + "int" + ">" * 3000 + " v; }",
    "array-of-odd-size": "void f() { std::array<int, ²> a; a[1] = 1; }",
    "zeros": "\0" * 100_000,
    "stars": function("*" * 50_000),
    "text": function(f'strcpy(p, "{"a" * 90_000}");'),
}


CPP = frozenset({"namespaces", "templates", "array-of-odd-size", "structures", "one-line"})


@pytest.mark.parametrize(
    ("code", "language"),
    [(code, "cpp" if name in CPP else "c") for name, code in CODES.items()],
    ids=CODES,
)
def test_ends_in_time(code: str, language: str) -> None:
    begun = time.thread_time()
    found_in(code, language)
    assert time.thread_time() - begun < MAX_SECONDS + SLACK


def test_what_comes_after_a_function_that_is_nested_too_deeply_is_found() -> None:
    code = function("{" * 300 + "}" * 300) + "void g(void) { int a[2]; a[2] = 1; }"
    assert [found.fact for found in found_in(code)] == ["overflow-by-one"]


SEED = """\
#define TWICE(x) ((x) * 2)
enum { SIZE = 4 };
struct node { struct node *next; char name[SIZE]; int count; };
typedef struct node node_t;
static int table[SIZE * 2];
static int twice(int n) { return TWICE(n); }
int work(node_t *list, const char *text, unsigned n) {
    char buffer[16], *copy = malloc(strlen(text) + 1);
    if (!copy || n > sizeof buffer) return -1;
    strcpy(copy, text);
    for (unsigned i = 0; i <= n; i++) {
        buffer[i] = copy[i] ? table[twice(i)] : *(text + i);
        switch (buffer[i]) { case 'a': continue; case 1 ... 3: break; default: goto end; }
    }
    do { list->count++; list->name[list->count] = (char)n; } while ((list = list->next) != NULL);
    sprintf(buffer, "%s %*d %.3f", copy, 3, n / list->count, 1.0);
end:
    free(copy);
    return buffer[0];
}
"""
SEED_CPP = """\
#include <vector>
template <class T> class Box : public Base {
    std::vector<T *> all; std::mutex m; int *raw = nullptr;
public:
    Box(int n) : raw(new int[n]) {}
    ~Box() { delete[] raw; }
    T &at(size_t i) { std::lock_guard<std::mutex> held(m); return *all[i]; }
    void each() { for (auto &[a, b] : all) { all.push_back(a); } }
};
int use(Box<int> &box, std::string s) {
    try { auto g = [&](int x) { return x + box.at(x); }; g(3); } catch (const Error &e) { throw; }
    if (auto *p = dynamic_cast<Box<int> *>(&box); p) return p->at(s.size());
    std::string t = std::move(s);
    return s.empty() ? static_cast<int>(t[t.length()]) : 1'000;
}
"""
PIECES = [
    *"{}();*&[]=<>\"'\\\n,²",
    *("#define x ", "#if 0\n", "sizeof", "return", "struct", "0x", "%s", "if", "else", "for"),
]


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_broken_code_never_raises(data: st.DataObject) -> None:
    """Pieces of code are taken out, doubled, moved and put in."""
    language = data.draw(st.sampled_from(["c", "cpp"]))
    code = SEED if language == "c" else SEED_CPP
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(code)))
        end = min(len(code), start + data.draw(st.integers(0, 40)))
        at = data.draw(st.integers(0, len(code)))
        piece = data.draw(st.sampled_from([*PIECES, "", code[start:end]]))
        code = data.draw(
            st.sampled_from(
                [code[:start] + code[end:], code[:at] + piece + code[at:], code[:start] + piece]
            )
        )
    found_in(code, language)


@given(st.text(max_size=300), st.sampled_from(["c", "cpp"]))
@settings(deadline=None)
def test_any_text_never_raises(text: str, language: str) -> None:
    with suppress(UnicodeEncodeError):  # half a character is no code
        found_in(text, language)
