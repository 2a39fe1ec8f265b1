"""The table of keywords in `docs/analysis.md` says what is true."""

from __future__ import annotations

import re
from pathlib import Path

from codeintel_plugins.suppressions.keywords import any_keyword

TEXT = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text()


def test_every_comment_in_the_table_is_known() -> None:
    table = TEXT.partition("| Comment | Where |")[2].partition("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines()[2:]]
    written = [each for cell in cells for each in re.findall(r"`([^`]+)`", cell)]
    assert len(written) > 10
    unknown = [each for each in written if each[0] != "-" and not any_keyword(None).search(each)]
    assert unknown == []
