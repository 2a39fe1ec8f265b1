"""Count requests against limits, on shared storage with a local shadow and debts.

Flask-Limiter provides storage and strategy. It is called directly, without its decorators: limits
depend on the account, which is known only after authentication, and a refusal must not count twice.
Its own fallback starts from zero when Redis goes away, which would give everyone a fresh allowance.
"""

from __future__ import annotations

import time
from math import ceil

import msgspec
from flask import Flask
from flask_limiter import Limiter
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter, RateLimiter

from codeintel.base.entitlements import Tier
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.platform.config import Settings
from codeintel.platform.metrics import table
from codeintel.platform.shared_redis import SharedRedis

WINDOW_SLACK_SECONDS = 1.0
ROUNDS = 5
"""How often one request pays debts that were added while it was paying."""

_Who = tuple[str, str]
"""A policy, and an account or address."""
SWEEP_EVERY = 4_096
_COUNTED = {
    "analysis": ("analysis", "analyses"),
    "transform": ("transformation", "transformations"),
    "scan": ("scan", "scans"),
    "default": ("request", "requests"),
    "lookup": ("lookup", "lookups"),
    "anonymous_lookup": (
        "lookup for callers without an account",
        "lookups for callers without an account",
    ),
    "search_call": ("new search", "new searches"),
    "anonymous_search_call": (
        "new search for callers without an account",
        "new searches for callers without an account",
    ),
    "failed_auth": ("failed authentication", "failed authentications"),
}
"""What a policy counts, in the singular and the plural."""
EVERYBODY = "all"
_UNITS = {86_400: "a day", 3600: "an hour", 60: "a minute", 1: "a second"}


class Debts:
    """Hits that were counted here while the shared counters were out of reach.

    Other requests run while the shared storage is called. So one request pays a debt, and hits that
    arrive meanwhile are counted here, too.
    """

    def __init__(self, shared: Storage, local: Storage) -> None:
        self._shared = shared
        self._local = local
        self._owed: dict[_Who, int] = {}
        self._paying: set[_Who] = set()

    def add(self, policy: str, who: str, hits: int) -> None:
        """Add to a debt."""
        self._owed[policy, who] = self._owed.get((policy, who), 0) + hits

    def forgive(self, policy: str, who: str) -> bool:
        """Reduce a debt by one. Return False if there is no debt."""
        owed = self._owed.get((policy, who), 0)
        if owed > 0:
            self._owed[policy, who] = owed - 1
        return owed > 0

    def is_paying(self, policy: str, who: str) -> bool:
        """Return whether the shared counter is still being updated."""
        return (policy, who) in self._paying

    def pay(self, policy: str, item: RateLimitItem, who: str) -> None:
        """Pay a debt. After an error, which is raised, the debt remains."""
        self._paying.add((policy, who))
        try:
            for _ in range(ROUNDS):
                owed = self._owed.pop((policy, who), 0)
                if not owed:
                    return
                try:
                    self._pay(item.key_for(policy, who), owed)
                except BaseException:
                    self.add(policy, who, owed)
                    raise
        finally:
            self._paying.discard((policy, who))

    def _pay(self, key: str, owed: int) -> None:
        """Pay, unless the window of that time has ended. The local window may end a second late."""
        left, known = self._local.get_expiry(key) - time.time(), self._local.get(key)
        if left > WINDOW_SLACK_SECONDS:
            # A storage that lost its memory also gets the count that was known.
            self._shared.incr(key, ceil(left), amount=max(owed, known - self._shared.get(key)))


class Counters(Storage):
    """The counters of one process: counts by key, each until its window ends.

    The in-memory storage of the `limits` library starts a timer thread with nearly every hit, to
    drop expired counts. This one drops them periodically, within a hit.
    """

    STORAGE_SCHEME = ["counters"]  # noqa: RUF012 - as the base class declares it

    def __init__(self, uri: str | None = None, *, wrap_exceptions: bool = False, **_: str) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions)
        self._counts: dict[str, tuple[int, float]] = {}
        self._calls = 0

    @property
    def base_exceptions(self) -> type[Exception]:
        return ValueError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Add to a counter and return the new count.

        A new window of `expiry` seconds starts if needed.
        """
        now = time.time()
        count, end = self._counts.get(key, (0, 0.0))
        if end <= now:
            count, end = 0, now + expiry
        self._counts[key] = count + amount, end
        self._calls += 1
        if self._calls % SWEEP_EVERY == 0:
            self._counts = {key: each for key, each in self._counts.items() if each[1] > now}
        return count + amount

    def get(self, key: str) -> int:
        """Return the count in the current window."""
        count, end = self._counts.get(key, (0, 0.0))
        return count if end > time.time() else 0

    def get_expiry(self, key: str) -> float:
        """Return when the window ends as a Unix timestamp, or now if no window is open."""
        _, end = self._counts.get(key, (0, 0.0))
        return max(end, time.time())

    def check(self) -> bool:
        """Return True, because the storage is always available."""
        return True

    def reset(self) -> int:
        """Forget all counters and return their number."""
        count = len(self._counts)
        self._counts.clear()
        return count

    def clear(self, key: str) -> None:
        """Forget one counter."""
        self._counts.pop(key, None)


def rate_text(amount: int, counted: tuple[str, str], window: int) -> str:
    """Return a rate in words: `30 analyses an hour`, `5 requests in 2 hours`.

    :param window: in seconds.
    """
    unit = next(seconds for seconds in _UNITS if window % seconds == 0)
    times = window // unit
    period = _UNITS[unit] if times == 1 else f"in {times} {_UNITS[unit].split()[1]}s"
    return f"{amount:,} {counted[amount != 1]} {period}"


class LimitState(msgspec.Struct, frozen=True):
    """The state of a caller's limit. `reset` is a Unix timestamp, `window` is in seconds."""

    policy: str
    limit: int
    remaining: int
    reset: int
    window: int
    exceeded: bool = False

    @property
    def wait(self) -> int:
        """Whole seconds until the limit resets, at least 1."""
        return min(self.window, max(1, self.reset - int(time.time())))

    def refusal(self) -> ServiceError:
        """Return the error for a request over the limit."""
        return ServiceError(
            ErrorCode.RATE_LIMIT_EXCEEDED,
            f"The limit of {rate_text(self.limit, _COUNTED[self.policy], self.window)} is used up. "
            f"Try again in {self.wait} s.",
            details={"policy": self.policy, "limit": self.limit, "resetAt": self.reset},
            retry_after=self.wait,
        )


class Limits:
    """The limits of accounts, tiers and addresses."""

    def __init__(self, app: Flask, settings: Settings, redis: SharedRedis | None = None) -> None:
        self._breaker = redis.breaker if redis is not None else None
        self._limiter = Limiter(
            _no_decorators,
            # It is called directly. Its separate application keeps its hooks, which check each
            # request for decorators, separate from this class's.
            app=Flask(app.name),
            headers_enabled=False,
            strategy="fixed-window",
            storage_uri=redis.url if redis is not None else "counters://",
            storage_options=(
                {"connection_pool": redis.client.connection_pool}  # type: ignore[dict-item]
                if redis is not None
                else {}
            ),
        )
        self._settings = settings
        self._of_tiers = {tier: settings.tier_limits(tier) for tier in Tier}
        self._shadow = FixedWindowRateLimiter(Counters()) if redis is not None else None
        self._debts = (
            Debts(self._limiter.limiter.storage, self._shadow.storage) if self._shadow else None
        )

    @property
    def degraded(self) -> bool:
        """Whether the shared storage is out of reach and local counters replace it."""
        return self._breaker is not None and self._breaker.is_open

    @property
    def is_full(self) -> bool:
        """Whether the shared storage has no room for counters."""
        return self._breaker is not None and self._breaker.is_full

    def hit_operation(self, account_id: str, tier: Tier, operation: str) -> LimitState:
        """Count one `analysis`, `transform` or `scan` of an account."""
        return self._hit(operation, self._per_hour(tier, operation), account_id)

    def peek_operation(self, account_id: str, tier: Tier, operation: str) -> LimitState:
        """Return the state of an account's limit, without counting."""
        return self._peek(operation, self._per_hour(tier, operation), account_id)

    def give_back(self, account_id: str, tier: Tier, operation: str) -> None:
        """Undo a recent :meth:`hit_operation`, because the request was a repeat."""
        item = self._per_hour(tier, operation)
        key = item.key_for(operation, account_id)
        if self._shadow is not None:
            _undo(self._shadow.storage, key, item)
        if (
            self._debts is not None and self._debts.forgive(operation, account_id)
        ) or self.degraded:
            return
        try:
            _undo(self._limiter.limiter.storage, key, item)
        except Exception as error:  # the unit is lost, the request is not
            if self._breaker is None:
                raise
            self._breaker.failed(error)

    def hit_default(self, who: str, cost: int = 1) -> LimitState:
        """Count one request of an account or address, or what costs as much as `cost` of them."""
        return self._hit("default", self._settings.limit_default, who, cost)

    def peek_default(self, who: str) -> LimitState:
        """Return the state of an account's or address's limit, without counting."""
        return self._peek("default", self._settings.limit_default, who)

    def hit_lookup(self, who: str) -> LimitState:
        """Count one package lookup at upstreams for an account or address."""
        return self._hit("lookup", self._settings.trust_lookups, who)

    def hit_anonymous_lookup(self) -> LimitState:
        """Count one package lookup at upstreams for a caller without an account."""
        return self._hit("anonymous_lookup", self._settings.trust_lookups_anonymous, EVERYBODY)

    def hit_search_call(self, who: str, source: str) -> LimitState:
        """Count one request to a search source for an account or address."""
        return self._hit("search_call", self._settings.search_calls, f"{who}:{source}")

    def hit_anonymous_search_call(self, source: str, per_minute: int = 0) -> LimitState:
        """Count one request to a search source for a caller without an account.

        :param per_minute: the source's limit for the service, if known. Accounts keep half of it.
        """
        item = self._settings.search_calls_anonymous
        if per_minute:
            known = RateLimitItemPerMinute(max(1, per_minute // 2))
            item = min(item, known, key=lambda each: each.amount / each.get_expiry())
        return self._hit("anonymous_search_call", item, source)

    def hit_failed_auth(self, address: str) -> LimitState:
        """Count one failed authentication of an address."""
        return self._hit("failed_auth", self._settings.limit_failed_auth, address)

    def _per_hour(self, tier: Tier, operation: str) -> RateLimitItem:
        return RateLimitItemPerHour(getattr(self._of_tiers[tier], operation))

    def _hit(self, policy: str, item: RateLimitItem, who: str, cost: int = 1) -> LimitState:
        state = self._ask(policy, item, who, cost)
        if state.exceeded:
            table.LIMIT_REFUSALS.add(policy)
        return state

    def _peek(self, policy: str, item: RateLimitItem, who: str) -> LimitState:
        return self._ask(policy, item, who, cost=0)

    def _ask(self, policy: str, item: RateLimitItem, who: str, cost: int) -> LimitState:
        shared = self._limiter.limiter
        if self._shadow is None or self._breaker is None or self._debts is None:
            return _state(shared, policy, item, who, cost)
        # What arrives while a debt is paid counts here, because the shared counter does not know it
        # yet.
        if not self.degraded and not self._debts.is_paying(policy, who):
            try:
                self._debts.pay(policy, item, who)
                known_end = self._shadow.storage.get_expiry(item.key_for(policy, who))
                state = _state(shared, policy, item, who, cost, known_end)
            except Exception as error:  # noqa: BLE001 - whatever it is, the service goes on
                self._breaker.failed(error)
            else:
                self._breaker.answered(wrote=bool(cost))
                self._catch_up(item, who, state)
                return state
        if cost:
            self._debts.add(policy, who, cost)
        return _state(self._shadow, policy, item, who, cost)

    def _catch_up(self, item: RateLimitItem, who: str, state: LimitState) -> None:
        """Raise the shadow to the count of the shared counter."""
        assert self._shadow is not None  # noqa: S101 - for the type checker
        storage, key = self._shadow.storage, item.key_for(state.policy, who)
        behind = state.limit - state.remaining - storage.get(key)
        if behind > 0:
            storage.incr(key, state.wait, amount=behind)


def _undo(storage: Storage, key: str, item: RateLimitItem) -> None:
    """Undo one hit, if its window has not ended."""
    if storage.get(key) > 0:
        storage.incr(key, item.get_expiry(), amount=-1)


def _state(
    limiter: RateLimiter,
    policy: str,
    item: RateLimitItem,
    who: str,
    cost: int,
    known_end: float | None = None,
) -> LimitState:
    """Count `cost` hits and return the state of the limit.

    :param known_end: when the window ends, as far as known, for a storage that is slow to ask.
    """
    window, key, storage = item.get_expiry(), item.key_for(policy, who), limiter.storage
    counts = bool(cost and item.amount)
    count = storage.incr(key, window, amount=cost) if counts else storage.get(key)
    if known_end is not None and counts and count == cost:
        reset = time.time() + window  # the window has just started
    elif known_end is not None and known_end > time.time():
        reset = known_end
    else:
        reset = storage.get_expiry(key)
    now = time.time()
    return LimitState(
        policy,
        item.amount,
        remaining=max(0, item.amount - count),
        # An unused window starts with the first request.
        reset=ceil(reset) if reset > now else int(now) + window,
        window=window,
        exceeded=bool(cost) and (count > item.amount or not counts),
    )


def _no_decorators() -> str:
    raise NotImplementedError("limits are asked directly")
