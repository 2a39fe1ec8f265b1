"""Families of metrics: counters, gauges and histograms with bounded labels.

`prometheus_client` decides at import whether processes share their metrics. So it is imported when
the first metric is needed, when that is known. Commands never import it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

MOST_SERIES = 2_000
"""Maximum number of series in a family, in case a label depends on callers after all."""
OTHER = "other"

Values = frozenset[str] | str
"""The values of a label: a closed set, or a description where names are registered.

Values outside the set become `other`.
"""

_making = RLock()


@cache
def registry() -> CollectorRegistry:
    """Return this process's own registry of families."""
    from prometheus_client import CollectorRegistry, disable_created_metrics

    # Otherwise each counter has a series that says when it started.
    disable_created_metrics()  # type: ignore[no-untyped-call]
    return CollectorRegistry()


class Family(ABC):
    """Series of one name.

    :param help_: one sentence about it.
    :param labels: by name, in the order in which their values are given.
    """

    kind: str

    def __init__(self, name: str, help_: str, **labels: Values) -> None:
        self.name = name
        self.help = help_
        self.labels: Mapping[str, Values] = labels
        self._sets = [each if isinstance(each, frozenset) else None for each in labels.values()]
        self._series: dict[tuple[str, ...], Any] = {}
        self._family: Any = None

    def series(self, *values: str) -> Any:
        """Return `prometheus_client`'s object for these label values. The first call creates it."""
        found = self._series.get(values)
        if found is not None:
            return found
        with _making:  # commands may have threads
            return self._new(values)

    def _new(self, values: tuple[str, ...]) -> Any:
        if self._family is None:
            self._family = self._make()
        known = tuple(
            str(value) if closed is None or value in closed else OTHER
            for value, closed in zip(values, self._sets, strict=True)
        )
        if known != values and known in self._series:
            return self._series[known]  # not cached under `values`, which are unbounded
        if len(self._series) >= MOST_SERIES:
            known = tuple(OTHER for _ in known)
        made = self._family.labels(*known) if known else self._family
        self._series[known] = made
        return made

    @abstractmethod
    def _make(self) -> Any:
        """Return `prometheus_client`'s object for the family."""


class Counter(Family):
    """A counter, which only grows."""

    kind = "counter"

    def add(self, *values: str, amount: float = 1) -> None:
        """Increase the counter."""
        self.series(*values).inc(amount)

    def _make(self) -> Any:
        import prometheus_client

        return prometheus_client.Counter(
            self.name, self.help, list(self.labels), registry=registry()
        )


class Gauge(Family):
    """A gauge, which goes up and down.

    :param mode: how the values of several processes are combined:
        https://prometheus.github.io/client_python/multiprocess/. Dead processes have none.
    """

    kind = "gauge"

    def __init__(self, name: str, help_: str, mode: str = "livesum", **labels: Values) -> None:
        super().__init__(name, help_, **labels)
        self._mode: Any = mode

    def up(self, *values: str) -> None:
        """Increase the gauge by one."""
        self.series(*values).inc()

    def down(self, *values: str) -> None:
        """Decrease the gauge by one."""
        self.series(*values).dec()

    @contextmanager
    def while_in(self, *values: str) -> Iterator[None]:
        """Increase the gauge by one within the block."""
        series = self.series(*values)
        series.inc()
        try:
            yield
        finally:
            series.dec()

    def set(self, value: float, *values: str) -> None:
        """Set the gauge."""
        self.series(*values).set(value)

    def _make(self) -> Any:
        import prometheus_client

        labels = list(self.labels)
        return prometheus_client.Gauge(
            self.name, self.help, labels, registry=registry(), multiprocess_mode=self._mode
        )


class Histogram(Family):
    """A histogram of durations.

    :param buckets: upper bounds, in seconds.
    """

    kind = "histogram"

    def __init__(self, name: str, help_: str, buckets: Sequence[float], **labels: Values) -> None:
        super().__init__(name, help_, **labels)
        self._buckets = buckets

    def observe(self, seconds: float, *values: str) -> None:
        """Record a duration in seconds."""
        self.series(*values).observe(seconds)

    def _make(self) -> Any:
        import prometheus_client

        labels = list(self.labels)
        return prometheus_client.Histogram(
            self.name, self.help, labels, registry=registry(), buckets=self._buckets
        )
