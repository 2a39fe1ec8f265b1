"""The examples in `docs/api-guide.md` and `docs/quick-start.md` work unchanged. Programs that
follow a run also work over a connection that breaks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from breaking_line import breaking_line
from doc_blocks import ANSWERS, DOCS, PROGRAMS, Block, blocks, play
from servers import binary
from support import make_user
from trust_upstreams import fake_upstreams

from codeintel import create_app
from codeintel.platform.db import db
from codeintel.testing.server import LiveServer

TEXT = (DOCS / "api-guide.md").read_text()
README = (DOCS.parent / "README.md").read_text()
BLOCKS = list(blocks(TEXT))
ADDRESS = "http://127.0.0.1:8000"
EMAIL = "you@example.org"
RESUMING = ("When the connection breaks", "In Python", "In JavaScript")
WITHIN_AN_EVENT = b'event: finding\ndata: {"type"'
"""Where the line breaks: the first event is there, the second is not whole."""


class Guide(NamedTuple):
    """A service as the guide expects it, and a key for it."""

    server: LiveServer
    key: str

    def variables(self, url: str = "") -> dict[str, str]:
        return {
            "CODEINTEL_INSTANCE": str(self.server.instance),
            "CODEINTEL_URL": url or self.server.url,
            "CODEINTEL_API_KEY": self.key,
        }


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guide]:
    binary("node")
    instance = tmp_path_factory.mktemp("instance")
    with fake_upstreams() as fake:
        fake.add("react")
        fake._npm = lambda *_: (200, {"objects": [{"package": {"name": "redis"}}]})
        fake._docker = lambda *_: (200, {"results": [{"repo_name": "redis"}]})
        settings = {
            **fake.settings(),
            "CODEINTEL_NPM_REGISTRY": f"{fake.url}/npm",
            "CODEINTEL_DOCKER_URL": f"{fake.url}/docker",
        }
        with LiveServer(instance, **settings) as server:
            yield Guide(server, new_key(instance))


def new_key(instance: Path) -> str:
    app = create_app({"CODEINTEL_INSTANCE": instance})
    made = make_user(app.extensions["codeintel"], EMAIL, unlimited=True)
    with app.app_context():
        db.engine.dispose()
    return made.token


def here(part: Block, url: str) -> Block:
    """Return the block with the address of this service."""
    return part._replace(text=part.text.replace(ADDRESS, url))


def test_every_block_is_of_a_kind_that_is_run() -> None:
    assert {part.language for part in BLOCKS} == {"sh", "yaml", *PROGRAMS, *ANSWERS}
    assert TEXT.count("```") == 2 * len(BLOCKS)


def test_all_of_it_works(guide: Guide, tmp_path: Path) -> None:
    parts = [here(part, guide.server.url) for part in BLOCKS]
    compared = play(parts, tmp_path, guide.variables())
    assert len(compared) > 15
    for told, said in compared:
        assert said == told
    sarif = json.loads((tmp_path / "load.sarif").read_text())
    assert (sarif["version"], len(sarif["runs"][0]["results"])) == ("2.1.0", 1)
    assert json.loads((tmp_path / "run.json").read_text())["data"]["result"]["findings"]


@pytest.mark.parametrize(
    ("mark", "sections"),
    [(WITHIN_AN_EVENT, [each]) for each in RESUMING] + [(b"", [each]) for each in RESUMING[1:]],
    ids=lambda value: repr(value)[:20] if isinstance(value, bytes) else value[0],
)
def test_readers_go_on_when_the_line_breaks(
    guide: Guide, tmp_path: Path, mark: bytes, sections: list[str]
) -> None:
    (tmp_path / "request.json").write_text(
        json.dumps({"code": "import pickle\nx = pickle.loads(input())\n", "language": "python"})
    )
    (tmp_path / "load.py").write_text("import pickle\n\n\nx = pickle.loads(input())\n")
    parts = [part for part in BLOCKS if part.section in sections and "with_client" not in part.text]
    with breaking_line(guide.server.url, mark, times=1) as line:
        for told, said in play(parts, tmp_path, guide.variables(line.url)):
            assert said == told
    assert line.broken
    again = line.asked[1]
    assert again.startswith(b"GET /api/v1/runs/run_" if mark else b"POST /api/v1/analyze/stream ")
    assert re.findall(rb"(?i)last-event-id: (\d+)", again) == ([b"1"] if mark else [])


def test_the_quick_start_works(guide: Guide, tmp_path: Path) -> None:
    text = (DOCS / "quick-start.md").read_text()
    # The document shows what a terminal shows, and this is a pipe.
    command = "codeintel analyze app.py --model pro"
    text = text.replace(f"{command}\n", f"{command} --frames\n")
    first, activate, *rest = blocks(text)
    assert first.text.splitlines()[-1] in README
    here_too = activate._replace(text=activate.text.replace(". .venv/bin/activate", ""))
    compared = play([here_too, *rest], tmp_path, guide.variables())
    assert len([told for told, _ in compared if told]) == 1
    for told, said in compared:
        assert said == told
    assert any("  Path:\n    1. app.py:10:12  request data\n" in said for _, said in compared)


@pytest.mark.parametrize(("code", "status"), [("exec(input())\n", 1), ("x = 1\n", 0)])
def test_the_job_in_ci_stops_what_is_bad(
    guide: Guide, tmp_path: Path, code: str, status: int
) -> None:
    (job,) = [part for part in BLOCKS if part.language == "yaml"]
    script = yaml.safe_load(job.text)["jobs"]["analyze"]["steps"][-1]["run"]
    (tmp_path / "work.py").write_text(code)
    commands = f"""
        git init -q -b main && git config user.email a@example.org && git config user.name a
        git commit -q --allow-empty -m first && git update-ref refs/remotes/origin/main HEAD
        git switch -q -c work && git add work.py && git commit -q -m second
        ( {script} ) && status=0 || status=$?
        echo "status $status"
    """
    parts = [Block("", "sh", commands), Block("", "text", f"status {status}")]
    ((told, said),) = play(parts, tmp_path, guide.variables())
    assert said.endswith(told), said
