"""The pepper: from the settings, or made once and kept to its owner."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

from codeintel.identity.secrets import load_or_make, load_pepper
from codeintel.platform.config import load_settings

# Processes that all see no file and are then released at the same time.
CROWD = """
import os, sys
from pathlib import Path
from codeintel.identity.secrets import load_or_make

ready, go = os.pipe()
children = []
for _ in range(8):
    child = os.fork()
    if not child:
        os.close(go)
        os.read(ready, 1)
        os.write(1, load_or_make(Path(sys.argv[1])).encode() + b"\\n")
        os._exit(0)
    children.append(child)
os.close(go)
sys.exit(any(os.waitpid(child, 0)[1] for child in children))
"""


def pepper(instance: Path, value: str = "") -> bytes:
    config = {"CODEINTEL_INSTANCE": instance, "CODEINTEL_KEY_PEPPER": value}
    return load_pepper(load_settings(config, {}).settings)


def test_it_is_made_once_for_the_owner_alone(tmp_path: Path) -> None:
    instance = tmp_path / "not" / "there"
    made = pepper(instance)
    [file] = instance.iterdir()
    assert file.name == "key_pepper"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(made) >= 32
    assert pepper(instance) == made
    assert pepper(tmp_path / "elsewhere") != made


def test_the_mode_does_not_depend_on_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        pepper(tmp_path)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "key_pepper").stat().st_mode) == 0o600


def test_the_setting_wins_and_makes_no_file(tmp_path: Path) -> None:
    assert pepper(tmp_path, "p" * 32) == b"p" * 32
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_used(tmp_path: Path) -> None:
    (tmp_path / "key_pepper").write_text("written by hand\n")
    assert load_or_make(tmp_path / "key_pepper") == "written by hand"


def test_processes_that_start_together_make_one(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CROWD, str(tmp_path / "secret")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = done.stdout.split()
    assert len(answers) == 8
    assert set(answers) == {(tmp_path / "secret").read_text()}
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]
