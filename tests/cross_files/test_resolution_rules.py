"""The rules by which imports and calls of each language find the files of a project."""

from __future__ import annotations

import pytest
from projects import places

PY_SINK = "import os\n\ndef run(x):\n    os.system('ls ' + x)\n"
PY_CLASS = "import os\n\nclass Tool:\n    def run(self, x):\n        os.system('ls ' + x)\n"
PY_VIEW = "from flask import request\n{0}\n\ndef view():\n    {1}\n"
JS_SINK = "const cp = require('child_process');\nfunction run(x) { cp.exec('ls ' + x); }\n"
ES_SINK = "import { exec } from 'child_process';\nexport function run(x) { exec('ls ' + x); }\n"
ES_CLASS = (
    "import { exec } from 'child_process';\nexport class Tool { run(x) { exec('ls ' + x); } }\n"
)
JS_VIEW = "{0}\nexport function view(req, res) {{ {1}; }}\n"
ARG = "request.args['x']"


def py(imports: str, call: str) -> str:
    """Return a view that imports something and calls it with a parameter of the request."""
    return PY_VIEW.format(imports, call.replace("X", ARG))


def js(imports: str, call: str) -> str:
    """Return a handler that imports something and calls it with a parameter of the request."""
    return JS_VIEW.format(imports, call.replace("X", "req.query.x"))


PYTHON = {
    "module": {"v.py": py("import t", "t.run(X)"), "t.py": PY_SINK},
    "alias": {"v.py": py("import t as u", "u.run(X)"), "t.py": PY_SINK},
    "name": {"v.py": py("from t import run as go", "go(X)"), "t.py": PY_SINK},
    "dotted": {"v.py": py("import a.t", "a.t.run(X)"), "a/__init__.py": "", "a/t.py": PY_SINK},
    "relative": {"a/v.py": py("from .t import run", "run(X)"), "a/t.py": PY_SINK},
    "parent": {"a/b/v.py": py("from ..t import run", "run(X)"), "a/t.py": PY_SINK},
    "submodule": {"a/v.py": py("from . import t", "t.run(X)"), "a/t.py": PY_SINK},
    "package": {"v.py": py("from a import t", "t.run(X)"), "a/__init__.py": "", "a/t.py": PY_SINK},
    "no init": {"v.py": py("from a.t import run", "run(X)"), "a/t.py": PY_SINK},
    "re-export": {
        "v.py": py("from a import go", "go(X)"),
        "a/__init__.py": "from .t import run as go\n",
        "a/t.py": PY_SINK,
    },
    "star": {
        "v.py": py("from a import *", "run(X)"),
        "a/__init__.py": "from .t import *\n",
        "a/t.py": PY_SINK,
    },
    "src folder": {
        "app/src/p/v.py": py("from p.t import run", "run(X)"),
        "app/src/p/t.py": PY_SINK,
    },
    "class": {"v.py": py("from t import Tool", "Tool().run(X)"), "t.py": PY_CLASS},
    "instance": {
        "v.py": py("from made import tool", "tool.run(X)"),
        "made.py": "from t import Tool\n\ntool = Tool()\n",
        "t.py": PY_CLASS,
    },
    "base": {
        "v.py": py("from made import Mine", "Mine().run(X)"),
        "made.py": "import t\n\nclass Mine(t.Tool):\n    pass\n",
        "t.py": PY_CLASS,
    },
    "factory": {
        "v.py": py("from made import tool", "tool().run(X)"),
        "made.py": "from t import Tool\n\ndef tool():\n    return Tool()\n",
        "t.py": PY_CLASS,
    },
    "super": {
        "v.py": py("from made import Mine", "Mine().run(X)"),
        "made.py": (
            "from t import Tool\n\nclass Mine(Tool):\n"
            "    def run(self, x):\n        super().run(x)\n"
        ),
        "t.py": PY_CLASS,
    },
    "keyword": {"v.py": py("from t import run", "run(x=X)"), "t.py": PY_SINK},
}
SCRIPTS = {
    "named": {"v.js": js("import { run } from './t';", "run(X)"), "t.js": ES_SINK},
    "with ending": {"v.js": js("import { run } from './t.js';", "run(X)"), "t.ts": ES_SINK},
    "namespace": {"v.js": js("import * as t from './t';", "t.run(X)"), "t.js": ES_SINK},
    "index": {"v.js": js("import { run } from './lib';", "run(X)"), "lib/index.js": ES_SINK},
    "re-export": {
        "v.js": js("import { go } from './lib';", "go(X)"),
        "lib/index.js": "export { run as go } from './t';\n",
        "lib/t.js": ES_SINK,
    },
    "export all": {
        "v.js": js("import { run } from './lib';", "run(X)"),
        "lib/index.js": "export * from './other';\nexport * from './t';\n",
        "lib/other.js": "export const other = 1;\n",
        "lib/t.js": ES_SINK,
    },
    "default": {
        "v.js": js("import go from './t';", "go(X)"),
        "t.js": ES_SINK.replace("export function", "export default function"),
    },
    "require": {
        "v.js": js("const t = require('./t');", "t.run(X)"),
        "t.js": JS_SINK + "module.exports = { run };\n",
    },
    "require name": {
        "v.js": js("const { run: go } = require('./t');", "go(X)"),
        "t.js": JS_SINK + "exports.run = run;\n",
    },
    "module is the function": {
        "v.js": js("const go = require('./t');", "go(X)"),
        "t.js": JS_SINK + "module.exports = run;\n",
    },
    "other name": {
        "v.js": js("const t = require('./t');", "t.go(X)"),
        "t.js": JS_SINK + "module.exports = { go: run };\n",
    },
    "class": {
        "v.js": js("import { Tool } from './t';\nconst tool = new Tool();", "tool.run(X)"),
        "t.js": ES_CLASS,
    },
    "instance": {
        "v.js": js("import { tool } from './made';", "tool.run(X)"),
        "made.js": "import { Tool } from './t';\nexport const tool = new Tool();\n",
        "t.js": ES_CLASS,
    },
    "alias of src": {"src/a/v.js": js("import { run } from '@/t';", "run(X)"), "src/t.js": ES_SINK},
    "parent folder": {"a/v.js": js("import { run } from '../t';", "run(X)"), "t.js": ES_SINK},
}
GO_SINK = (
    'package t\n\nimport "os/exec"\n\nfunc Run(x string) { exec.Command("sh", "-c", x).Run() }\n'
)
GO_VIEW = """\
package v

import (
	"net/http"
	{0}
)

func View(w http.ResponseWriter, r *http.Request) {{ {1}(r.FormValue("x")) }}
"""
JAVA_SINK = """\
package p.t;
public class Tool {
    public void run(String x) throws Exception { Runtime.getRuntime().exec("ls " + x); }
    public static void go(String x) throws Exception { Runtime.getRuntime().exec("ls " + x); }
}
"""
JAVA_VIEW = """\
package {0};
{1}
public class View extends javax.servlet.http.HttpServlet {{
    {2}
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws Exception {{
        {3}(request.getParameter("x"));
    }}
}}
"""
PHP_SINK = "<?php\nnamespace P\\T;\nclass Tool { public function run($x) { system('ls ' . $x); }\n"
PHP_SINK += "public static function go($x) { system('ls ' . $x); } }\n"
CS_SINK = "using System.Diagnostics;\nnamespace P.T;\npublic class Tool {\n"
CS_SINK += '    public void Run(string x) { Process.Start("sh", "-c " + x); }\n}\n'
CS_VIEW = """\
{0}
namespace P.V;
public class ViewController : Controller {{
    {1}
    public IActionResult Get(string x) {{ {2}(x); return Ok(); }}
}}
"""
OTHERS = {
    "go folder": {
        "v/v.go": GO_VIEW.format('"example.com/m/lib/t"', "t.Run"),
        "lib/t/t.go": GO_SINK,
    },
    "go alias": {"v/v.go": GO_VIEW.format('u "example.com/m/t"', "u.Run"), "t/t.go": GO_SINK},
    "go nested module": {
        "back/v/v.go": GO_VIEW.format('"example.com/m/t"', "t.Run"),
        "back/t/t.go": GO_SINK,
    },
    "go same package": {
        "v/v.go": GO_VIEW.format("", "Run"),
        "v/t.go": GO_SINK.replace("package t", "package v"),
    },
    "java import": {
        "V.java": JAVA_VIEW.format("p.v", "import p.t.Tool;", "private Tool tool;", "tool.run"),
        "T.java": JAVA_SINK,
    },
    "java same package": {
        "V.java": JAVA_VIEW.format("p.t", "", "", "new Tool().run"),
        "T.java": JAVA_SINK,
    },
    "java star": {
        "V.java": JAVA_VIEW.format("p.v", "import p.t.*;", "", "Tool.go"),
        "T.java": JAVA_SINK,
    },
    "java static import": {
        "V.java": JAVA_VIEW.format("p.v", "import static p.t.Tool.go;", "", "go"),
        "T.java": JAVA_SINK,
    },
    "php use": {
        "v.php": "<?php\nuse P\\T\\Tool;\n$tool = new Tool();\n$tool->run($_GET['x']);\n",
        "t.php": PHP_SINK,
    },
    "php alias": {
        "v.php": "<?php\nuse P\\T\\Tool as Other;\nOther::go($_GET['x']);\n",
        "t.php": PHP_SINK,
    },
    "php full name": {"v.php": "<?php\n\\P\\T\\Tool::go($_GET['x']);\n", "t.php": PHP_SINK},
    "php function": {
        "v.php": "<?php\nrequire 't.php';\nrun_it($_GET['x']);\n",
        "t.php": "<?php\nfunction run_it($x) { system('ls ' . $x); }\n",
    },
    "ruby constant": {
        "v.rb": "get '/' do\n  Lib::Tool.run(params[:x])\nend\n",
        "t.rb": 'module Lib\n  class Tool\n    def self.run(x)\n      system("ls #{x}")\n'
        "    end\n  end\nend\n",
    },
    "ruby object": {
        "v.rb": "get '/' do\n  tool = Tool.new\n  tool.run(params[:x])\nend\n",
        "t.rb": 'class Tool\n  def run(x)\n    system("ls #{x}")\n  end\nend\n',
    },
    "csharp using": {
        "V.cs": CS_VIEW.format("using P.T;", "private Tool _tool = new Tool();", "_tool.Run"),
        "T.cs": CS_SINK,
    },
    "csharp parent namespace": {
        "V.cs": CS_VIEW.format("", "", "new Tool().Run"),
        "T.cs": CS_SINK.replace("P.T", "P"),
    },
}


@pytest.mark.parametrize("case", PYTHON)
def test_python(case: str) -> None:
    (found,) = places(PYTHON[case])
    assert found.startswith("command ") and "t.py" in found


@pytest.mark.parametrize("case", SCRIPTS)
def test_javascript(case: str) -> None:
    (found,) = places(SCRIPTS[case])
    assert found.startswith("command ")


@pytest.mark.parametrize("case", OTHERS)
def test_other_languages(case: str) -> None:
    (found,) = places(OTHERS[case])
    assert found.startswith("command ") and found.partition(" ")[2].lower().split("/")[-1][0] == "t"


STRANGERS = {
    "another file with the name": {
        "v.py": py("from lib.t import run", "run(X)"),
        "other/t.py": PY_SINK,
    },
    "a library": {"v.js": js("import { run } from 't';", "run(X)"), "t.js": ES_SINK},
    "the standard library": {
        "v/v.go": GO_VIEW.format('"text/t"', "t.Run"),
        "t/t.go": GO_SINK,
    },
    "above the project": {"v.js": js("import { run } from '../t';", "run(X)"), "t.js": ES_SINK},
    "another language": {"v.py": py("import t", "t.run(X)"), "t.js": JS_SINK},
    "another package": {
        "V.java": JAVA_VIEW.format("p.v", "import q.t.Tool;", "", "new Tool().clean"),
        "T.java": JAVA_SINK,
    },
}


@pytest.mark.parametrize("case", STRANGERS)
def test_files_that_are_not_meant(case: str) -> None:
    assert places(STRANGERS[case]) == []
