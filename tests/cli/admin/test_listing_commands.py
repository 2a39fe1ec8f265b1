"""`codeintel plugins`, `rules` and `openapi`, which list what a service has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from administering import ok, refused, run


@pytest.mark.parametrize("command", ["plugins", "rules", "openapi"])
def test_listings_leave_no_folder_behind(instance: Path, command: str) -> None:
    result = run(command)
    assert result.exit_code == 0
    assert (str(instance) in result.stderr) == (command == "plugins")
    assert not instance.exists()


def test_a_broken_plugin_is_one_line(instance: Path) -> None:
    (instance / "plugins").mkdir(parents=True)
    (instance / "plugins" / "bad.py").write_text("x = 1\nraise ValueError('one\\ntwo')\n")
    (instance / "plugins" / "odd.py").write_text("def f(:\n")
    lines = run("rules").stderr.splitlines()
    assert len(lines) == 2
    assert lines[0].endswith("bad.py) is not in use: ValueError: one two (line 2)")
    assert lines[1].endswith("odd.py) is not in use: SyntaxError: invalid syntax (line 1)")


def test_plugins(instance: Path) -> None:
    folder = instance / "plugins"
    folder.mkdir(parents=True)
    (folder / "bad.py").write_text("raise ValueError('\\x1b[2J')\n")
    (folder / "good.py").write_text("")
    result = run("plugins")
    assert result.exit_code == 0
    assert [line.split()[:3] for line in result.stdout.splitlines()] == [
        ["NAME", "STATUS", "ORIGIN"],
        ["bad", "broken", "drop-in"],
        ["good", "ok", "drop-in"],
    ]
    assert "ValueError: \\x1b[2J" in result.stdout
    assert result.stderr.endswith("Broken plugins, which are not used: bad.\n")
    assert "Traceback" not in result.output
    assert "\x1b" not in result.output
    bad, good = json.loads(run("plugins", "--json").stdout)["plugins"]
    assert bad["error"] == "ValueError: \x1b[2J (line 1)"
    assert good == {
        "name": "good",
        "origin": "drop-in",
        "location": str(folder / "good.py"),
        "error": None,
        "provides": {},
        "advice": "registers nothing. Is @hookimpl missing?",
        "disabled": False,
        "would_provide": None,
    }


def test_a_disabled_plugin_is_listed_with_what_it_would_bring(
    instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = instance / "plugins"
    folder.mkdir(parents=True)
    (folder / "mine.py").write_text(
        "import codeintel\n"
        "from codeintel.contracts import Setting\n"
        "@codeintel.hookimpl\n"
        "def register_settings(register): register(Setting('CODEINTEL_A', 1, 'x'))\n"
    )
    (folder / "bad.py").write_text("1 / 0\n")
    monkeypatch.setenv("CODEINTEL_PLUGINS_DISABLED", "mine,bad")
    result = run("plugins")
    assert result.exit_code == 0
    assert result.stderr == ""
    rows = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert rows[1].startswith("bad disabled drop-in")
    assert "would be broken: ZeroDivisionError" in " ".join(rows)
    assert "would add setting: CODEINTEL_A" in " ".join(rows)
    bad, mine = json.loads(run("plugins", "--json").stdout)["plugins"]
    assert (mine["disabled"], mine["provides"]) == (True, {})
    assert mine["would_provide"] == {"setting": ["CODEINTEL_A"]}
    assert (bad["error"], bad["would_provide"]) == (None, {})
    monkeypatch.setenv("CODEINTEL_PLUGINS_DISABLED", "mien")
    assert "Did you mean mine?" in refused("plugins")
    assert "Did you mean mine?" in refused("config")


def test_no_plugins() -> None:
    assert ok("plugins") == "No plugins.\n"


def test_plugins_that_collide(instance: Path) -> None:
    (instance / "plugins").mkdir(parents=True)
    for name in ("one", "two"):
        (instance / "plugins" / f"{name}.py").write_text(
            "import codeintel\n"
            "from codeintel.contracts import Analyzer\n"
            "class Same(Analyzer):\n"
            "    name, languages = 'same', None\n"
            "    def analyze(self, request): return iter(())\n"
            "@codeintel.hookimpl\n"
            "def register_analyzers(register): register(Same())\n"
        )
    assert "registered by both 'one' and 'two'" in refused("plugins")


def test_openapi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINTEL_PUBLIC_URL", "https://code.example.org")
    document = json.loads(ok("openapi"))
    assert document["openapi"].startswith("3.1")
    assert document["servers"] == [{"url": "https://code.example.org"}]
