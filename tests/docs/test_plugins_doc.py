"""`docs/plugins.md`: its example works, and its links lead to each hook that there is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from doc_blocks import DOCS, blocks
from support import MakeApp, make_user

from codeintel.platform.plugins import hookspecs
from codeintel.platform.plugins.discovery import ENTRY_POINT_GROUP

TEXT = (DOCS / "plugins.md").read_text()
BLOCKS = list(blocks(TEXT))


def test_the_example_finds_what_it_says(make_app: MakeApp, tmp_path: Path) -> None:
    (program,) = [part.text for part in BLOCKS if part.language == "python"]
    (line,) = re.findall(r"printf '(.*)\\n' >notes.txt", TEXT)
    place = program.splitlines()[0].removeprefix("# instance/")
    (tmp_path / place).parent.mkdir()
    (tmp_path / place).write_text(program)
    app = make_app()
    user = make_user(app.extensions["codeintel"])
    answer = app.test_client().post(
        "/api/v1/analyze/stream",
        json={"code": f"{line}\nnot this one\n", "language": "text"},
        headers=user.headers,
    )
    assert answer.text.count("event: finding") == 1
    assert '"message":"This line shouts."' in answer.text


def test_every_hook_is_in_the_overview() -> None:
    hooks = {name for name, hook in vars(hookspecs).items() if hasattr(hook, "codeintel_spec")}
    assert set(re.findall(r"`(register_\w+)`", TEXT)) == hooks


def test_the_entry_point_is_of_the_real_group() -> None:
    (project,) = [tomllib.loads(part.text) for part in BLOCKS if part.language == "toml"]
    assert list(project["project"]["entry-points"]) == [ENTRY_POINT_GROUP]
