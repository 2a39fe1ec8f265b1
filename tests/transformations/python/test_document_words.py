"""The content of docstrings: only facts from the definition."""

from __future__ import annotations

import textwrap

import pytest
from codeintel_plugins.transformations.python.words import words
from document_reading import described


@pytest.mark.parametrize(
    ("definition", "summary"),
    [
        ("def parse_header(line): go()", "Parse header."),
        ("def parseHTTPHeader(line): go()", "Parse HTTP header."),
        ("def parse(line): go()", "Parse the line."),
        ("def parse(line, strict=False): go()", "Parse the line."),
        ("def parse(): go()", "Parse."),
        ("def search(items, target): go()", "Search, given ``items`` and ``target``."),
        ("def add(a, b): return a + b", "Add ``a`` and ``b``."),
        ("def is_prime(n): return n in P", "Return whether ``n`` is prime."),
        ("def has_children(): return x", "Return whether it has children."),
        ("def to_json(x): return x", "Convert to JSON."),
        ("def total(items): return sum(items)", "Return total, given ``items``."),
        ("def primes(): yield 2", "Yield primes."),
        ("def bubble_sort(xs): return xs", "Perform bubble sort."),
        ("def main(): go()", "Run the program."),
        ("def foo(): go()", "Run ``foo``."),
        ("def on_click(event): go()", "Handle click."),
        ("def get_user_by_id(id): return id", "Get user by ID."),
        ("class HttpServer: pass", "HTTP server."),
        ("class ParseError(Exception): pass", "Parse error."),
        ("class Color(Enum):\n    RED = 1", "The possible values of color."),
        ("class Reader(Protocol):\n    x: int", "What reader must offer."),
        ("class TestParser(unittest.TestCase): pass", "Tests of parser."),
    ],
)
def test_summaries(definition: str, summary: str) -> None:
    assert described(definition).splitlines()[0] == summary


@pytest.mark.parametrize(
    ("method", "summary"),
    [
        ("def __init__(self): go()", "Initialize the instance."),
        ("def __eq__(self, other): go()", "Return whether the instance is equal to the other."),
        ("def __radd__(self, other): go()", "Return the reflected sum."),
        ("def __own__(self): go()", "Run ``__own__``."),
        ("@property\ndef base_url(self): return x", "The base URL."),
        ("@property\ndef is_open(self): return x", "Whether it is open."),
        ("@cached_property\ndef get_name(self): return x", "The name."),
        ("@classmethod\ndef from_dict(cls, data): return x", "Create from dict."),
        ("@staticmethod\ndef parse(line): go()", "Parse the line."),
        ("@abstractmethod\ndef load(self): ...", "Load."),
    ],
)
def test_summaries_of_methods(method: str, summary: str) -> None:
    code = f"class A:\n    '''Docs.'''\n{textwrap.indent(method, '    ')}"
    assert described(code, -1).splitlines()[0] == summary


@pytest.mark.parametrize(
    ("definition", "lines"),
    [
        ("def f(a): go()", ["a: The value of ``a``."]),
        ("def f(size: int = 3): go()", ["size (int, optional): The size. Defaults to 3."]),
        ("def f(name=None): go()", ["name (optional): The name. Defaults to None."]),
        (
            "def f(*rest, **more: int): go()",
            ["*rest: Further positional arguments.", "**more (int): Further keyword arguments."],
        ),
        (
            "def f(verbose=False): go()",
            ["verbose (optional): The verbose flag. Defaults to False."],
        ),
        ("def f(use_cache: bool): go()", ["use_cache (bool): Whether to use cache."]),
        ("def f(num_items): go()", ["num_items: The number of items."]),
        ("def f(max_size): go()", ["max_size: The maximum size."]),
        ("def f(x: 'Foo'): go()", ["x (Foo): The value of ``x``."]),
        ("def f(sep='\\\\'): go()", ["sep (optional): The separator. Defaults to '\\\\'."]),
        ("def f(items=()): go()", ["items (optional): The items. Defaults to ()."]),
        ("def f(limit=DEFAULT): go()", ["limit (optional): The limit. Defaults to DEFAULT."]),
        ("def f(x=_MISSING): go()", ["x (optional): The value of ``x``."]),
        ("def f(x) -> int: return x", ["int: The result."]),
        ("def f(x): return not x", ["bool: True or False."]),
        ("def f(): return [1]", ["list: The result."]),
        ("def f(x):\n    if x: return [1]", ["The result."]),
        ("def f(x):\n    if x: return 'a'\n    return None", ["str | None: The result."]),
        ("def f(x):\n    total = 1\n    return total", ["The total."]),
        ("def f() -> Iterator[int]: yield 1", ["int: Each item in turn."]),
        ("async def f() -> AsyncIterator[int]: yield 1", ["int: Each item in turn."]),
    ],
)
def test_what_is_taken_and_given(definition: str, lines: list[str]) -> None:
    said = [line.strip() for line in described(definition).splitlines()]
    assert all(line in said for line in lines), said


@pytest.mark.parametrize(
    "definition",
    [
        "def f() -> None: go()",
        "def f(): return",
        "def f(): return None",
        "def f():\n    def g(): return 1\n    g()",
        "def f():\n    x = lambda: (yield)",
        "def f() -> NoReturn: go()",
    ],
)
def test_what_gives_nothing(definition: str) -> None:
    said = described(definition)
    assert "Returns" not in said
    assert "Yields" not in said


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("raise ValueError", "ValueError: Always."),
        ("if x < 0: raise ValueError('negative')", "ValueError: If ``x < 0``."),
        ("if not isinstance(x, int): raise TypeError", "TypeError: If ``not isinstance(x, int)``."),
        ("if y < 0: raise ValueError", "ValueError: Under a condition that the body checks."),
        (
            "x = 1\nif x < 0: raise ValueError",
            "ValueError: Under a condition that the body checks.",
        ),
        (
            "try: go()\nexcept KeyError as e: raise mine.Error from e",
            "mine.Error: If ``KeyError`` is caught.",
        ),
        (
            "for i in x:\n    raise ValueError",
            "ValueError: Under a condition that the body checks.",
        ),
        (
            "try: raise KeyError\nexcept OSError: pass",
            "KeyError: Under a condition that the body checks.",
        ),
    ],
)
def test_what_is_raised(body: str, line: str) -> None:
    said = described(f"def f(x):\n{textwrap.indent(body, '    ')}")
    assert line in [each.strip() for each in said.splitlines()]


@pytest.mark.parametrize(
    "body",
    [
        "raise",
        "raise error",
        "raise self.error()",
        "raise make_error()",
        "def g(): raise ValueError",
        "try: raise ValueError\nexcept ValueError: pass",
        "try: raise FileNotFoundError\nexcept (KeyError, OSError): pass",
        "try: raise Own\nexcept Other: pass",
        "try: raise Own\nexcept: pass",
        "with suppress(ValueError): raise ValueError",
        "Error = x\nraise Error",
    ],
)
def test_what_is_not_said_to_be_raised(body: str) -> None:
    assert "Raises" not in described(f"def f(x):\n{textwrap.indent(body, '    ')}\n    go()")


@pytest.mark.parametrize(
    "definition",
    [
        "def f(password='hunter2'): go()",
        "def f(api_key: str = 'hunter2'): go()",
        "def f(pin=11122): go()",
        "def f(url='https://me:hunter2@example.org'): go()",
        "def f(x='c2VjcmV0IGh1bnRlcjI5OTk5'): go()",
        "def f(token: Literal['hunter2'] = None): go()",
        "def f(x, password):\n    if password == 'hunter2': raise ValueError",
        "@dataclass\nclass A:\n    secret: str = 'hunter2'",
    ],
)
def test_secrets_are_never_repeated(definition: str) -> None:
    said = described(definition)
    assert said
    for secret in ("hunter2", "11122", "c2VjcmV0"):
        assert secret not in said


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (
            "google",
            "Load.\n\nArgs:\n    x (int, optional): The value of ``x``. Defaults to 1.\n\n"
            "Returns:\n    str: The result.\n\nRaises:\n    ValueError: If ``x < 0``.",
        ),
        (
            "numpy",
            "Load.\n\nParameters\n----------\nx : int, optional\n"
            "    The value of ``x``. Defaults to 1.\n\nReturns\n-------\nstr\n    The result.\n\n"
            "Raises\n------\nValueError\n    If ``x < 0``.",
        ),
        (
            "sphinx",
            "Load.\n\n:param x: The value of ``x``. Defaults to 1.\n:type x: int, optional\n"
            ":returns: The result.\n:rtype: str\n:raises ValueError: If ``x < 0``.",
        ),
    ],
)
def test_styles(style: str, expected: str) -> None:
    code = "def load(x: int = 1) -> str:\n  if x < 0: raise ValueError('x')\n  return go()"
    assert described(code, style=style) == expected


def test_fields_are_listed() -> None:
    said = described(
        "@dataclass\nclass A:\n    size: int = field(default=3)\n    k: ClassVar[int] = 1"
    )
    assert said == "A.\n\nAttributes:\n    size (int): The size. Defaults to 3."


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("snake_case", ["snake", "case"]),
        ("camelCaseName", ["camel", "case", "name"]),
        ("HTTPServer", ["HTTP", "server"]),
        ("user_ids", ["user", "IDs"]),
        ("x1", ["x1"]),
        ("__", ["__"]),
        ("über_maß", ["über", "maß"]),
    ],
)
def test_words_of_names(name: str, expected: list[str]) -> None:
    assert words(name) == expected
