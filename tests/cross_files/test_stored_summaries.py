"""Summaries that a service stores: they have names and digests, and no other code of the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from projects import linked, summaries_of

from codeintel.engine.dataflow.project import finding_of

QUERY = "SELECT secret_column FROM t"
PYTHON = f"""\
import os
import sqlite3
from flask import render_template
from base import Base, make, wrap

KEY = make("{QUERY}")

class Store(Base, metaclass=make("{QUERY}")):
    kind: "{QUERY}" = make("{QUERY}")

    @wrap("{QUERY}")
    def find(self, name, order="{QUERY}"):
        self.last = make(name, key="{QUERY}")
        cursor = sqlite3.connect("{QUERY}").cursor()
        cursor.execute("{QUERY}" + name + make("{QUERY}", order))
        os.system(make(name)["{QUERY}"] + "{QUERY}")
        return render_template("{QUERY}", **{{"{QUERY}": name}}, other=make(name))

TABLE = {{"{QUERY}": lambda name: os.system(name + "{QUERY}")}}

def page(name):
    return render_template("page.html", name=name)
"""
JAVASCRIPT = f"""\
const {{ find }} = require("./store");
const db = require("pg");
class Store extends Base("{QUERY}") {{
  field = find("{QUERY}");
  get(name, order = "{QUERY}") {{
    db.query("{QUERY}" + name + find("{QUERY}"));
    document.body.innerHTML = `{QUERY} ${{name}}`;
    return res.render("{QUERY}", {{ "{QUERY}": name, other: name }});
  }}
}}
module.exports = {{ Store, "{QUERY}": find }};
const page = ({{ name, order = "{QUERY}" }}) => {{ db.query("{QUERY}" + name + find(order)); }};
const [first = "{QUERY}"] = find("{QUERY}");
exports.page = page;
exports.table = {{ "{QUERY}": (name) => db.query("{QUERY}" + name) }};
"""
JAVA = f"""\
package shop;
import other.Store;
@Table("{QUERY}")
class Page extends Base {{
  String text = Store.make("{QUERY}");
  void find(String name) throws Exception {{
    statement.executeQuery("{QUERY}" + name + Store.make("{QUERY}"));
    model.addAttribute("{QUERY}", name);
    Runtime.getRuntime().exec("{QUERY}" + name);
  }}
}}
"""
PHP = f"""\
<?php
namespace Shop;
use Other\\Store;
class Page extends Base {{
  function find($name, $order = "{QUERY}") {{
    mysqli_query($this->db, "{QUERY}" . $name . Store::make("{QUERY}"));
    system("{QUERY}" . $name);
    return view("{QUERY}", ["{QUERY}" => $name]);
  }}
}}
"""
RUBY = f"""\
class Page < Base
  def find(name, order = "{QUERY}")
    @db.execute("{QUERY} #{{name}}" + make("{QUERY}"))
    system("{QUERY}" + name)
    render "{QUERY}", locals: {{ "{QUERY}" => name }}
  end
end
"""
GO = f"""\
package shop
import "example.org/store"
type Page struct {{
	Name string `json:"{QUERY}"`
}}
func (p *Page) Find(name string) string {{
	db.Query("{QUERY}" + name + store.Make("{QUERY}"))
	exec.Command("sh", "-c", "{QUERY}" + name)
	return store.Make("{QUERY}")
}}
"""
CSHARP = f"""\
using Other;
namespace Shop {{
  [Table("{QUERY}")]
  class Page : Base {{
    public string Text = Store.Make("{QUERY}");
    object Find(string name, string order = "{QUERY}") {{
      var command = new SqlCommand("{QUERY}" + name + Store.Make("{QUERY}"));
      ViewData["{QUERY}"] = name;
      Process.Start("{QUERY}" + name);
      return View("{QUERY}", name);
    }}
  }}
}}
"""
FILES = {
    "a.py": PYTHON,
    "a.js": JAVASCRIPT,
    "a.ts": JAVASCRIPT,
    "A.java": JAVA,
    "a.php": PHP,
    "a.rb": RUBY,
    "a.go": GO,
    "a.cs": CSHARP,
    "page.html": f"{{{{ name + '{QUERY}' | safe }}}}{{{{ order['{QUERY}'] | safe }}}}",
    "page.ejs": f"<%- name + '{QUERY}' %><%- render('{QUERY}', name) %>",
    "page.erb": f"<%= raw name + '{QUERY}' %>",
}


def texts_of(value: Any) -> Iterator[str]:
    """Yield all texts in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.items():
            yield from texts_of(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_of(each)


@pytest.mark.parametrize("path", FILES)
def test_a_summary_has_no_code_but_names(path: str) -> None:
    summary = summaries_of({path: FILES[path]})[path]
    texts = list(texts_of(msgspec.to_builtins(summary)))
    assert any(each in texts for each in ("name", "Page", "Store", "find")), texts
    for each in texts:
        assert "secret_column" not in each
        assert not set(each) & set("\"'+={};"), each


def test_equal_code_has_an_equal_digest() -> None:
    first, spaced, other = (
        summaries_of({"a.py": text})["a.py"].hits[0].digest
        for text in (
            "import os\ndef run(a):\n    os.system('ls ' + a)\n",
            "import os\n\ndef run(a):\n    os.system('ls '  +  a)\n",
            "import os\ndef run(a):\n    os.system('rm ' + a)\n",
        )
    )
    assert first != other
    assert first == spaced
    assert len(first) == 16


def test_messages_still_name_the_value_and_the_function() -> None:
    files = {
        "run.py": "import os\n\ndef run(command):\n    os.system(command)\n",
        "web.py": "from flask import request\nimport run\n\nrun.run(request.args['c'])\n",
    }
    (found,) = linked(files).findings
    assert "`command` from" in finding_of(found).message
    assert "reaches `os.system()`" in finding_of(found).message
