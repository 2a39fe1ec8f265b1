"""The modules that an editable installation compiles."""

from __future__ import annotations

from importlib.util import cache_from_source
from pathlib import Path

import pytest
from setuptools import Distribution

from codeintel.base import _build


@pytest.mark.parametrize("is_editable", [True, False])
def test_an_editable_tree_is_compiled(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    is_editable: bool,
) -> None:
    modules = {"codeintel/a.py": "x = 1", "plugins/p/b.py": "y = 2", "codeintel/bad.py": "x ="}
    for name, code in modules.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(code)
    monkeypatch.setattr(_build, "ROOT", tmp_path)
    command = _build.build_bytecode(Distribution())
    command.editable_mode = is_editable
    command.run()
    compiled = {name for name in modules if Path(cache_from_source(str(tmp_path / name))).exists()}
    assert compiled == ({"codeintel/a.py", "plugins/p/b.py"} if is_editable else set())
    assert capfd.readouterr().err == ""
