"""Cycles, budgets and hostile projects: linking ends, and says what it left out."""

from __future__ import annotations

import msgspec
import pytest
from projects import ENDINGS, linked, places, summaries_of

from codeintel.engine.dataflow.project import Budget, link, summarize

SINK = "import os\n\ndef run(x):\n    os.system('ls ' + x)\n"
VIEW = "from flask import request\nfrom a0 import f\n\ndef view():\n    f(request.args['x'])\n"


def test_a_cycle_of_imports_and_calls_ends() -> None:
    files = {
        "a0.py": "import a1\n\ndef f(x, n=3):\n    a1.g(x, n)\n",
        "a1.py": (
            "import a0\nimport os\n\ndef g(x, n):\n"
            "    if n:\n        a0.f(x, n - 1)\n    os.system(x)\n"
        ),
        "view.py": VIEW,
    }
    assert places(files) == ["command a1.py:7"]


def test_results_in_a_cycle_keep_their_sources() -> None:
    files = {
        "a.py": (
            "import b\nfrom flask import request\n\ndef f(n):\n"
            "    return request.args['x'] if n else b.g(n)\n"
        ),
        "b.py": (
            "import a\nimport os\n\ndef g(n):\n    return a.f(n)\n\n"
            "def go():\n    os.system(g(1))\n"
        ),
    }
    assert places(files) == ["command b.py:8"]


SELVES = {
    "a module that imports itself": {"a0.py": "from a0 import f\n", "view.py": VIEW},
    "a package that imports itself": {
        "a0/__init__.py": "from . import *\nfrom .a0 import f\n",
        "a0/a0.py": "from . import f\n",
        "view.py": VIEW,
    },
    "a script that exports itself": {
        "a.js": "export * from './a';\nexport { f } from './a';\n",
        "b.js": "import { f } from './a';\nexport function g(req, res) { f(req.query.x); }\n",
    },
    "two scripts that export each other": {
        "a.js": "export * from './b';\nexport { f } from './b';\n",
        "b.js": "export * from './a';\nexport { f } from './a';\n",
        "c.js": "import { f } from './a';\nexport function g(req, res) { f(req.query.x); }\n",
    },
    "classes that extend each other": {
        "a.py": "from b import B\n\nclass A(B):\n    pass\n",
        "b.py": "from a import A\n\nclass B(A):\n    pass\n",
        "c.py": "from a import A\nfrom flask import request\n\nA().run(request.args['x'])\n",
    },
    "a class that extends itself": {
        "A.java": "class A extends A { void f(String x) { g(x); super.g(x); } }\n"
    },
    "a field of its own type": {
        "a.py": (
            "from flask import request\n\nclass A:\n    def __init__(self, a: 'A'):\n"
            "        self.a = a\n\n    def f(self):\n        self.a.a.a.a.g(request.args['x'])\n"
        )
    },
}


@pytest.mark.parametrize("case", SELVES)
def test_what_refers_to_itself_ends_without_a_finding(case: str) -> None:
    assert linked(SELVES[case]).findings == ()


def test_a_long_chain_of_files_is_followed() -> None:
    count = 300
    files = {
        f"a{n}.py": f"from a{n + 1} import f as g\n\ndef f(x):\n    g(x)\n" for n in range(count)
    }
    files[f"a{count}.py"] = SINK.replace("run", "f")
    files["view.py"] = VIEW
    (found,) = linked(files).findings
    assert (found.path, found.steps[0].path) == (f"a{count}.py", "view.py")
    assert len(found.steps) <= 45


def test_ten_thousand_imports_are_summarized_and_linked() -> None:
    lines = "".join(f"from m{n} import f{n}\n" for n in range(10_000))
    calls = "".join(f"    f{n}(x)\n" for n in range(0, 10_000, 10))
    files = {"big.py": f"{lines}\n\ndef run(x):\n{calls}", "m0.py": SINK.replace("run", "f0")}
    files["view.py"] = "from big import run\nfrom flask import request\n\nrun(request.args['x'])\n"
    assert places(files) == ["command m0.py:4"]


def test_equal_names_everywhere_give_no_guess() -> None:
    files = {f"t{n}.py": f"class T{n}:\n    def run(self, x):\n        eval(x)\n" for n in range(9)}
    files["view.py"] = (
        "from flask import request\n\ndef view(tool):\n    tool.run(request.args['x'])\n"
    )
    assert places(files) == []


def test_budgets_are_counted_and_told() -> None:
    files = {f"a{n}.py": "import b\n\ndef f(x):\n    b.run(x)\n" for n in range(20)}
    files["b.py"] = SINK
    files["view.py"] = VIEW
    summaries = summaries_of(files)
    assert len(link(summaries).findings) == 1
    few_files = link(summaries, Budget(files=3))
    assert few_files.findings == () and few_files.ends == ("only 3 of 22 files were linked",)
    few_calls = link(summaries, Budget(calls=1))
    assert few_calls.ends == ("only 1 calls between files were followed",)
    none = link(summaries, Budget(findings=0))
    assert none.findings == () and none.ends == ("only 0 of 1 findings are listed",)


def test_what_could_not_be_resolved_is_counted() -> None:
    files = {
        "view.py": (
            "import requests\nfrom flask import request\nfrom b import run\nfrom c import gone\n\n"
            "def view(tool):\n    x = request.args['x']\n    run(x)\n"
            "    gone(x)\n    tool.do_it(x)\n"
        ),
        "b.py": SINK,
        "c.py": "",
    }
    counts = linked(files).counts
    assert (counts.files, counts.functions, counts.resolved) == (3, 2, 1)
    assert counts.unresolved == 1  # the method of an object of unknown type
    assert counts.external == 1  # the name that the module does not have


@pytest.mark.parametrize("language", sorted(set(ENDINGS.values())))
@pytest.mark.parametrize(
    "text",
    ["", "\ufeff", "\x00", "(" * 400, "{" * 300 + "}" * 300, "import " * 500, "é = 'x'\r\n" * 20],
    ids=["empty", "mark", "null", "open", "nested", "imports", "letters"],
)
def test_broken_files_have_a_summary(language: str, text: str) -> None:
    summary = summarize("x", text, language)
    assert link({"x": summary}).findings == ()


def test_code_that_is_nested_too_deeply_is_told() -> None:
    summary = summarize("x.rb", "import " * 500, "ruby")
    assert summary.unfinished == "the code is nested too deeply"
    assert link({"x.rb": summary}).ends == ("x.rb: the code is nested too deeply",)


def test_a_file_of_another_language_has_an_empty_summary() -> None:
    assert summarize("x.rs", "fn main() {}", "rust").functions == ()


def test_summaries_of_another_version_are_left_out() -> None:
    made = summaries_of({"view.py": VIEW, "a0.py": SINK.replace("run", "f")})
    assert len(link(made).findings) == 1
    made["a0.py"] = msgspec.structs.replace(made["a0.py"], version=999)
    assert link(made).findings == ()
