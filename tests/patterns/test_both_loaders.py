"""The shipped files mean the same to both YAML loaders, because the one in C is not always
available."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
import yaml

ROOT = Path(str(files("codeintel_plugins")))
FOLDERS = sorted({path.parent.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.yml")})


@pytest.mark.skipif(not hasattr(yaml, "CSafeLoader"), reason="there is only one loader")
@pytest.mark.parametrize("folder", FOLDERS)
def test_files_mean_the_same_to_both_loaders(folder: str) -> None:
    for path in sorted((ROOT / folder).glob("*.yml")):
        text = path.read_text()
        plain = yaml.load(text, yaml.SafeLoader)
        assert plain == yaml.load(text, yaml.CSafeLoader), path.name
