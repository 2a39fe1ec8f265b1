"""Docstrings are added where they are missing. The rest of the code does not change."""

from __future__ import annotations

import ast

import pytest
from codeintel_plugins.transformations.python.documenting import PythonDocument
from hypothesis import given, settings, strategies as st

from codeintel.contracts import CheckStatus, Rewrite, RewriteRequest, Unsupported
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.python_trees import compare


def documented(
    code: str, *, style: str = "google", private: bool = False, without: tuple[str, ...] = ()
) -> Rewrite:
    """Return the proposed rewrite after the product's checks."""

    def rewrite(text: str) -> Rewrite:
        options = {"style": style, "private": private}
        request = RewriteRequest(
            code=text, language="python", target="python", options=options, without=without
        )
        return PythonDocument().rewrite(request)

    result = rewrite(code)
    comparison = Comparison(before=code, after=result.code, language="python", target="python")
    evidence = compare(comparison)
    assert evidence.status is CheckStatus.PASSED, evidence.text
    assert rewrite(result.code).code == result.code
    assert (result.code != code) == bool(result.changes)
    return result


def docstrings(code: str) -> dict[str, str]:
    """Return the docstrings in code, by name."""
    found = {}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = ast.get_docstring(node) or ""
    return found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def run():\n    go()\n", 'def run():\n    """Run."""\n    go()\n'),
        ("def run(): go()\n", 'def run():\n    """Run."""\n    go()\n'),
        ("def run(): go(); go()  # twice", 'def run():\n    """Run."""\n    go(); go()  # twice'),
        ("def run(): \\\n  go()\n", 'def run():\n    """Run."""\n    go()\n'),
        (
            "def run():  # why: so\n  # then\n  go()\n",
            'def run():  # why: so\n  """Run."""\n  # then\n  go()\n',
        ),
        ("def run():\r\n\tgo()\r\n", 'def run():\r\n\t"""Run."""\r\n\tgo()\r\n'),
        ("def run():\r  go()", 'def run():\r  """Run."""\r  go()'),
        ("\ufeffdef run(): go()\n", '\ufeffdef run():\n    """Run."""\n    go()\n'),
        ("if x:\n\tdef run(): go()\n", 'if x:\n\tdef run():\n\t\t"""Run."""\n\t\tgo()\n'),
        ("\x0cdef run():\n    go()\n", '\x0cdef run():\n    """Run."""\n    go()\n'),
        ("def run():\n\n    go()\n", 'def run():\n    """Run."""\n\n    go()\n'),
        (
            "def run():\n    @a\n    def f(): pass\n",
            'def run():\n    """Run."""\n    @a\n    def f(): pass\n',
        ),
        ("class Run: x = 1\n", 'class Run:\n    """Run."""\n    x = 1\n'),
        ("class Run:\n    x = 1\n", 'class Run:\n    """Run."""\n\n    x = 1\n'),
        ("class Run:\n\n    x = 1\n", 'class Run:\n    """Run."""\n\n    x = 1\n'),
        (
            "class Run (  # a: b\n):  # c\n  x = 1\n",
            'class Run (  # a: b\n):  # c\n  """Run."""\n\n  x = 1\n',
        ),
        (
            "def run(\n) -> (  # :\n  None\n):\n  go()\n",
            'def run(\n) -> (  # :\n  None\n):\n  """Run."""\n  go()\n',
        ),
        (
            "def run():\n    # type: () -> None\n    go()\n",
            'def run():\n    # type: () -> None\n    """Run."""\n    go()\n',
        ),
        ("async def run(): go()\n", 'async def run():\n    """Run."""\n    go()\n'),
        (
            "def überprüfe():\n    go()\n",
            'def überprüfe():\n    """Run ``überprüfe``."""\n    go()\n',
        ),
    ],
)
def test_where_it_stands(before: str, after: str) -> None:
    assert documented(before).code == after


@pytest.mark.parametrize(
    "code",
    [
        'def f():\n    """Here."""\n',
        "def f():\n    'a' 'b'\n",
        "def f():\n    f'meant {so}'\n",
        "def f():\n    'meant %s' % so\n",
        "def f():\n    'meant {}'.format(so)\n",
        "def f():\n    b'meant'\n",
        "def _f():\n    pass\n",
        "class _A:\n    def f(self): pass\n",
        "@overload\ndef f(x): ...\n",
        "def f(x): ...\n",
        "class P(Protocol):\n    '''Docs.'''\n    def f(self):\n        ...\n",
        "class A:\n    '''Docs.'''\n    @override\n    def f(self): pass\n",
        "class A:\n    '''Docs.'''\n    @x.setter\n    def x(self, y): pass\n",
        "class A(unittest.TestCase):\n    '''Docs.'''\n    def test_a(self): pass\n",
        "class A(cmd.Cmd):\n    '''Docs.'''\n    def do_a(self, line): pass\n",
        "class A:\n    __doc__ = text\n",
        "class A:\n    names = list(locals())\n",
        "class M(type):\n    '''Docs.'''\nclass A(metaclass=M): pass\nclass B(A): pass\n",
        "import ply.yacc\ndef p_sum(p): pass\n",
        "def f(): pass\nprint(f.__doc__)\n",
        "class A:\n    x = property(lambda self: self.__doc__)\n",
        "x = lambda y: y\n",
        "",
    ],
)
def test_what_stays_as_it_is(code: str) -> None:
    assert documented(code).changes == ()


@pytest.mark.parametrize(
    "line",
    [
        "print(inspect.getdoc(x))",
        "print(x.__doc__)",
        "print(getattr(x, '__doc__'))",
        "help(x)",
        "print(inspect.getsource(x))",
        "print(open(__file__).read())",
        "print(sys._getframe().f_lineno)",
        "x.__code__.co_consts",
        "x = (",
        "x = " + "-" * 100_000 + "1",
    ],
)
def test_programs_that_would_change(line: str) -> None:
    with pytest.raises(Unsupported, match=r"^line "):
        documented(f"def f(): pass\n{line}\n")


def test_what_hands_docstrings_on_may_be_described() -> None:
    code = "def wrap(f):\n    def g(): f()\n    g.__doc__ = f.__doc__\n    return g\n"
    assert len(documented(code).changes) == 1


def test_private_things_on_request() -> None:
    code = "def _f(): pass\ndef g():\n    def h(): pass\nclass _A:\n    def k(self): pass\n"
    assert len(documented(code).changes) == 1
    assert len(documented(code, private=True).changes) == 5


def test_each_rule_can_be_left_out() -> None:
    code = (
        "def f(): pass\nclass A:\n    def __init__(self): pass\n    def g(self): pass\n"
        "    @property\n    def h(self): pass\n    def __len__(self): return 1\n"
    )
    rules = {change.rule for change in documented(code).changes}
    assert len(rules) == 6
    for rule in rules:
        rest = {change.rule for change in documented(code, without=(rule,)).changes}
        assert rest == rules - {rule}


def test_places_are_those_of_the_original() -> None:
    (change,) = documented("\ufeffä = 1; é = 2\ndef f(): pass\n").changes
    assert change.range is not None
    assert (change.range.start_line, change.range.start_column) == (2, 10)  # type: ignore[union-attr]


_HEADS = ["def f({}):", "class A(B):", "async def g({}):", "def h({}) -> int:  # c: d"]
_PARAMETERS = ["", "self, a", "a, b=1, *c, d='x', **e", "a, /, b: 'str' = r'\\n', *, c=[]"]
_BODIES = ["return", "raise ValueError('x')", "x = 1; return x", "'''Docs.'''", "..."]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_mixture_is_only_added_to(data: st.DataObject) -> None:
    choose = lambda options: data.draw(st.sampled_from(options))  # noqa: E731
    end, lines, indent = choose(["\n", "\r\n", "\r"]), [], ""
    for _ in range(data.draw(st.integers(1, 5))):
        head = choose(_HEADS).format(choose(_PARAMETERS))
        body = "x = 2" if head.startswith("class") else choose(_BODIES)
        body = "'''Docs.'''" if "Docs" in body else body
        unit = choose(["  ", "\t", "    "])
        if "#" not in head and data.draw(st.booleans()):
            lines.append(f"{indent}{head} {body}")
        else:
            lines += [indent + head, indent + unit + "# note", f"{indent}{unit}{body}"]
        lines += [""] * data.draw(st.integers(0, 2))
    code = choose(["", "\ufeff"]) + end.join(lines) + choose(["", end])
    style = choose(["google", "numpy", "sphinx"])
    result = documented(code, style=style, private=data.draw(st.booleans()))
    if end in code and "\n" not in end:
        assert "\n" not in result.code
    assert result.code.startswith("\ufeff") == code.startswith("\ufeff")
    assert [line for line in result.code.split(end) if "# note" in line] == [
        line for line in code.split(end) if "# note" in line
    ]


def test_long_code_is_done_in_time() -> None:
    code = "".join(f"def get_{n}(a, b=1):\n    return a\n" for n in range(2_500))
    assert len(documented(code).changes) == 2_500
