"""Families of figures: counters, gauges and histograms whose labels are bounded.

`prometheus_client` decides as it is imported whether processes share their figures. So it is
imported when the first figure is needed, by which time it is known; commands never import it.
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
"""Of one family, in case that something is labelled by what callers choose after all."""
OTHER = "other"

Values = frozenset[str] | str
"""What a label may be: a closed set, or in words where the names are registered. What is not in its
set is `other`."""

_making = RLock()


@cache
def registry() -> CollectorRegistry:
    """Where the families of this process are, beside nobody else's."""
    from prometheus_client import CollectorRegistry, disable_created_metrics

    # For each counter a series that says when it began.
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
        """`prometheus_client`'s object for these values of the labels; there from then on."""
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
            return self._series[known]  # not kept under `values`, of which there is no end
        if len(self._series) >= MOST_SERIES:
            known = tuple(OTHER for _ in known)
        made = self._family.labels(*known) if known else self._family
        self._series[known] = made
        return made

    @abstractmethod
    def _make(self) -> Any:
        """`prometheus_client`'s object for the family."""


class Count(Family):
    """What only grows."""

    kind = "counter"

    def add(self, *values: str, amount: float = 1) -> None:
        """One more, or several."""
        self.series(*values).inc(amount)

    def _make(self) -> Any:
        from prometheus_client import Counter

        return Counter(self.name, self.help, list(self.labels), registry=registry())


class Level(Family):
    """What goes up and down.

    :param mode: how the figures of several processes become one:
        https://prometheus.github.io/client_python/multiprocess/. The dead have none.
    """

    kind = "gauge"

    def __init__(self, name: str, help_: str, mode: str = "livesum", **labels: Values) -> None:
        super().__init__(name, help_, **labels)
        self._mode: Any = mode

    def up(self, *values: str) -> None:
        """One more."""
        self.series(*values).inc()

    def down(self, *values: str) -> None:
        """One less."""
        self.series(*values).dec()

    @contextmanager
    def while_in(self, *values: str) -> Iterator[None]:
        """One more within the block."""
        series = self.series(*values)
        series.inc()
        try:
            yield
        finally:
            series.dec()

    def set(self, value: float, *values: str) -> None:
        """So many now."""
        self.series(*values).set(value)

    def _make(self) -> Any:
        from prometheus_client import Gauge

        labels = list(self.labels)
        return Gauge(
            self.name, self.help, labels, registry=registry(), multiprocess_mode=self._mode
        )


class Spread(Family):
    """How long things take.

    :param buckets: upper bounds, in seconds.
    """

    kind = "histogram"

    def __init__(self, name: str, help_: str, buckets: Sequence[float], **labels: Values) -> None:
        super().__init__(name, help_, **labels)
        self._buckets = buckets

    def observe(self, seconds: float, *values: str) -> None:
        """It took so long."""
        self.series(*values).observe(seconds)

    def _make(self) -> Any:
        from prometheus_client import Histogram

        labels = list(self.labels)
        return Histogram(self.name, self.help, labels, registry=registry(), buckets=self._buckets)
