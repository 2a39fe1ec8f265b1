"""Wrong rewrites of JavaScript and TypeScript that look right: none is proven, with or without
running them."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
import yaml
from javascript_samples import FOLDER, compared
from servers import binary

from codeintel.engine.equivalence import same_meaning
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.sandbox.javascript import behaviour
from codeintel.engine.sandbox.javascript.pairs import Pair
from codeintel.engine.sandbox.javascript.plan import prepared
from codeintel.engine.sandbox.javascript.source import without_types

ATTACKS: dict[str, dict[str, Any]] = {
    name: {"language": "javascript", **case}
    for path in sorted(FOLDER.glob("attacks_*.yml"))
    for name, case in yaml.safe_load(path.read_text(encoding="utf-8")).items()
}
SHOW = """
const vm = require("vm"), { inspect } = require("util");
(async () => {
  for (const [name, shows, ...programs] of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
    const found = [];
    for (const program of programs) {
      let value;
      try { value = await vm.runInNewContext(`${program}\\n;(${shows})`, { setTimeout }); }
      catch (error) { value = `${error}`; }
      found.push(inspect(value, { depth: 9 }));
    }
    if (found[0] === found[1]) console.log(name);
  }
})();
"""


def programs(name: str) -> tuple[str, str]:
    case = ATTACKS[name]
    assert case["before"].count(case["old"]) == 1, name
    return case["before"], case["before"].replace(case["old"], case["new"])


def is_doubted(name: str) -> bool:
    language = ATTACKS[name]["language"]
    return bool(prepared(Pair(*programs(name), language, language)).doubts)


RUN = sorted(name for name in ATTACKS if not is_doubted(name))


def test_most_are_run() -> None:
    assert len(RUN) >= 100


def test_they_are_wrong() -> None:
    """Check that an expression has another value in each second program."""
    jobs = []
    for name, case in ATTACKS.items():
        bare = [text.replace("export ", "") for text in programs(name)]
        if case["language"] == "typescript":
            bare = [without_types(text.encode()).decode() for text in bare]
        jobs.append([name, case["shows"], *bare])
    node = binary("node")
    done = subprocess.run(
        [node, "-e", SHOW], input=json.dumps(jobs), capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == []


@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_comparing_the_code_proves_none(name: str) -> None:
    before, after = programs(name)
    language = ATTACKS[name]["language"]
    found = same_meaning.compare(
        Comparison(before=before, after=after, language=language, target=language, by_model=True)
    )
    assert not found.conclusive, found.text


@pytest.mark.parametrize("name", RUN)
def test_running_proves_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(behaviour, "CALL_SECONDS", 2.0)
    found = compared(*programs(name), ATTACKS[name]["language"])
    assert not found.conclusive, found.text
