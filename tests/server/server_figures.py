"""The figures of a server, as Prometheus reads them."""

from __future__ import annotations

import requests
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

SECONDS = 60
Labels = frozenset[tuple[str, str]]


class Figures:
    """The metrics of a port."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/metrics"

    def text(self) -> str:
        answer = requests.get(self.url, timeout=SECONDS)
        answer.raise_for_status()
        return answer.text

    def families(self) -> list[Metric]:
        return list(text_string_to_metric_families(self.text()))

    def all(self) -> dict[tuple[str, Labels], float]:
        """Return every sample."""
        samples = [sample for family in self.families() for sample in family.samples]
        found = {(each.name, frozenset(each.labels.items())): each.value for each in samples}
        assert len(found) == len(samples)  # no sample is repeated
        return found

    def get(self, name: str, **labels: str) -> float:
        """Return the sum of a name's samples with these labels."""
        return sum(
            value
            for (each, its), value in self.all().items()
            if each == name and labels.items() <= dict(its).items()
        )
