"""Arbitrary answers of an upstream."""

from __future__ import annotations

import json
from typing import Any

from codeintel_plugins.trust.collectors import shipped
from collector_bodies import CRATE, JINJA, KIT, LEGIT, answer, collected, document
from hypothesis import given, settings, strategies as st

from codeintel.contracts import (
    SourceAnswer,
    Target,
)
from codeintel.testing.conversations import facts

BODIES: list[tuple[str, Target, tuple[Any, ...]]] = [
    ("depsdev", KIT, (document("depsdev_package"), document("depsdev_version"))),
    ("depsdev-dependencies", KIT, (document("depsdev_dependencies.with_errors"),)),
    ("depsdev-project", KIT, (document("depsdev_project"),)),
    ("ecosystems", CRATE, (document("ecosystems_lookup"),)),
    ("osv", JINJA, (document("osv_query"), {})),
    ("scorecard", KIT, (document("scorecard"),)),
    (
        "github",
        LEGIT,
        (
            document("github_repositories")[0],
            document("github_releases"),
            document("github_contributors"),
        ),
    ),
]
KNOWN = {"version": "1.2.6", "repository": "github.com/example-org/kit"}
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["https://github.com/a/b", "2026-01-01", "\ud800", "x" * 5_000, "."])
)
DOCUMENTS = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)


def changed(document: Any, draw: Any) -> Any:
    """Return a document with one part replaced."""
    if not document or not isinstance(document, dict | list) or draw(st.integers(0, 5)) == 0:
        return draw(DOCUMENTS)
    keys = list(document) if isinstance(document, dict) else list(range(len(document)))
    key = draw(st.sampled_from(keys))
    copied = document.copy()
    copied[key] = changed(copied[key], draw)
    return copied


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_whatever_an_upstream_says_is_facts_or_an_error(data: st.DataObject) -> None:
    name, target, bodies = data.draw(st.sampled_from(BODIES))
    sent: list[SourceAnswer] = []
    for body in bodies:
        for _ in range(data.draw(st.integers(0, 3))):
            body = changed(body, data.draw)
        sent.append(answer(json.dumps(body)))
    found = collected(name, target, *sent, known=KNOWN)  # must not raise
    text = json.dumps(found.values, allow_nan=False, ensure_ascii=False)
    assert "\n" not in text.encode().decode()
    assert len(text) < 100_000
    assert all(not url or shipped.web_url(url) for _, url in found.evidence.found.values())
    assert facts(found.values).value("nothing") is None
