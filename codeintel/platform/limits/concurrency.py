"""Limits on what is open concurrently: connections, streams, slow bodies, bytes of bodies.

They are gauges of one process, not rates. Flask-Limiter counts requests in windows of time and
cannot return a place, and a shared storage would keep the places of a killed process.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.platform.config import Settings
from codeintel.platform.metrics import table

RETRY_SECONDS = 5
"""Value of `Retry-After`. A place is free again as soon as any holder ends."""


class Hold:
    """A share of a gauge. Release it once or more often. It is also a context manager.

    A hold that is lost without a release, such as that of a response that was never sent, returns
    its share when Python frees it.
    """

    __slots__ = ("_gauge", "_key", "amount")

    def __init__(self, gauge: Gauge, key: str) -> None:
        self._gauge = gauge
        self._key = key
        self.amount = 0

    def grow(self, amount: int) -> bool:
        """Hold more. Return False, with nothing changed, if that exceeds a limit."""
        if not self._gauge._add(self._key, amount):
            return False
        self.amount += amount
        return True

    def release(self) -> None:
        """Return the share."""
        amount, self.amount = self.amount, 0
        if amount:
            self._gauge._remove(self._key, amount)

    def __enter__(self) -> Hold:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()

    def __del__(self) -> None:
        self.release()


class Gauge:
    """The amount in use now, by key and in total.

    :param policy: its name in errors and metrics.
    :param each: the maximum for one key; 0 is no limit.
    :param in_all: the maximum for all keys together; 0 is no limit.
    """

    def __init__(self, policy: str, each: int, in_all: int = 0) -> None:
        self.policy = policy
        self.each = each
        self.in_all = in_all
        self.total = 0
        self._used: dict[str, int] = {}

    def take(self, key: str, amount: int = 1) -> Hold | None:
        """Return a share for a key, or None if that exceeds a limit."""
        hold = Hold(self, key)
        return hold if hold.grow(amount) else None

    def taken(self, key: str) -> Hold:
        """Return a share for a key of a gauge without limits."""
        hold = Hold(self, key)
        hold.grow(1)
        return hold

    def used(self, key: str) -> int:
        """Return the amount that a key holds."""
        return self._used.get(key, 0)

    def is_over(self, key: str, amount: int) -> bool:
        """Return whether this amount exceeds the limit of the key itself."""
        return bool(self.each) and self.used(key) + amount > self.each

    def _add(self, key: str, amount: int) -> bool:
        used = self._used.get(key, 0) + amount
        is_over = self.is_over(key, amount)
        if is_over or (self.in_all and self.total + amount > self.in_all):
            return False
        if used:
            self._used[key] = used
        self.total += amount
        return True

    def _remove(self, key: str, amount: int) -> None:
        self.total -= amount
        left = self._used[key] - amount
        if left:
            self._used[key] = left
        else:
            del self._used[key]


class Holds:
    """Several holds that end together."""

    def __init__(self, holds: Sequence[Hold]) -> None:
        self._holds = holds

    def release(self) -> None:
        """Return all shares."""
        for hold in self._holds:
            hold.release()


class Concurrency:
    """The gauges of one process."""

    def __init__(self, settings: Settings) -> None:
        self.connections = Gauge("connections", settings.max_connections_per_address)
        self.slow_bodies = Gauge("bodies", settings.max_slow_bodies)
        # A quarter stays for others. Even the smallest setting has room for the largest body.
        self.body_memory = Gauge("body_memory", settings.body_memory // 4 * 3, settings.body_memory)
        self.body_files = Gauge("body_files", settings.body_files // 2, settings.body_files)
        self._account_streams = Gauge("streams", settings.max_streams_per_account)
        self._address_streams = Gauge("streams", settings.max_streams_per_address)

    def open_stream(self, account_id: str, address: str) -> Holds:
        """Return a place for a stream of events, to be released when the stream ends.

        :param account_id: empty for an anonymous caller.
        :raises ServiceError: `rate_limit_exceeded`, with `details.limit`.
        """
        by_address = self._address_streams.take(address)
        if by_address is None:
            raise refusal(self._address_streams, "This address has", "streams open")
        if not account_id:
            return Holds([by_address])
        by_account = self._account_streams.take(account_id)
        if by_account is None:
            by_address.release()
            raise refusal(self._account_streams, "This account has", "streams open")
        return Holds([by_address, by_account])


def refusal(gauge: Gauge, who: str, what: str) -> ServiceError:
    """Return the error for a key that has reached its limit.

    :param who: such as `This account has`.
    :param what: such as `streams open`.
    """
    table.CONCURRENCY_REFUSALS.add(gauge.policy)
    return ServiceError(
        ErrorCode.RATE_LIMIT_EXCEEDED,
        f"{who} {gauge.each:,} {what}, which is the limit. Close some, or try again in "
        f"{RETRY_SECONDS} s.",
        details={"policy": gauge.policy, "limit": gauge.each},
        retry_after=RETRY_SECONDS,
    )
