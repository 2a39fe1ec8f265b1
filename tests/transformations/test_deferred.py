"""The metadata of transformations whose code servers do not load."""

from __future__ import annotations

import subprocess
import sys

import pytest
from codeintel_plugins.transformations import data, sql, web
from codeintel_plugins.transformations.deferred import Listing, deferred

from codeintel.contracts import RewriteRequest

LISTINGS = [*data.LISTINGS, *sql.LISTINGS, *web.LISTINGS]
LOADED = """
import sys, tempfile
from codeintel import create_app
create_app({"CODEINTEL_INSTANCE": tempfile.mkdtemp()})
print(*({"duckdb", "sqlglot", "tree_sitter", "ast_grep_py", "tomli_w"} & sys.modules.keys()))
"""


@pytest.mark.parametrize("listing", LISTINGS, ids=lambda listing: listing.name)
def test_the_listing_is_that_of_the_class(listing: Listing) -> None:
    made = deferred(listing)
    for field in ("name", "kind", "languages", "targets", "equivalence", "version", "timeout"):
        assert getattr(made, field) == getattr(made.real, field), field  # type: ignore[attr-defined]
    assert made.preference == made.real.preference  # type: ignore[attr-defined]


def test_it_does_the_work() -> None:
    made = deferred(data.LISTINGS[0])
    made.preload()
    request = RewriteRequest(code='{"a": 1}', language="json", target="yaml", options={})
    assert made.rewrite(request).code == "a: 1\n"


def test_a_server_loads_no_parser() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == []
