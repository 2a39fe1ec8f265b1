"""Reading figures as Prometheus does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from codeintel.platform.metrics import table
from codeintel.platform.metrics.exposition import exposition

HIDDEN = {"le"}


def told() -> str:
    """Return all metrics of this process."""
    sent: list[Any] = []
    asked = {"PATH_INFO": "/metrics", "REQUEST_METHOD": "GET"}
    chunks = exposition()(asked, lambda *head: sent.append(head))
    assert sent[0][0] == "200 OK"
    return b"".join(chunks).decode()


def families(text: str) -> dict[str, Metric]:
    """Return the families by name."""
    return {each.name: each for each in text_string_to_metric_families(text)}


def figure(text: str, name: str, **labels: str) -> float:
    """Return the sum of the samples of a name that have these labels; 0 without any."""
    return sum(
        sample.value
        for family in families(text).values()
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def strays(text: str, registered: dict[str, Iterable[str]]) -> set[tuple[str, str, str]]:
    """Return labels whose value is in no closed set, nor a registered name.

    :param registered: by name of the label.
    """
    known = {family.name: family for family in table.TABLE}
    found = set()
    for family in families(text).values():
        if not family.name.startswith("codeintel_"):
            continue  # a test's
        for sample in family.samples:
            base = known.get(sample.name) or known[family.name]
            assert set(sample.labels) - HIDDEN == set(base.labels)
            for label, value in sample.labels.items():
                if label in HIDDEN:
                    continue
                values = base.labels[label]
                if not isinstance(values, frozenset):
                    values = frozenset({*registered.get(label, ()), "other"})
                if value not in values:
                    found.add((sample.name, label, value))
    return found
