"""Rewrites that look right and are not: the original, what is replaced in it, and by what."""

from __future__ import annotations

HEADS = """from __future__ import annotations
import re, copy, contextlib, logging, functools, itertools, collections, json
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, Callable, Iterable, Iterator, Optional
"""
"""What each program begins with."""

WRONG: dict[str, tuple[str, str, str]] = {
    "window off by one": (
        """def sums(values: list[int], size: int) -> list[int]:
    found = []
    for start in range(len(values) - size + 1):
        found.append(sum(values[start:start + size]))
    return found
""",
        "- size + 1",
        "- size",
    ),
    "window of another end": (
        """def pairs(values: list[int]) -> list[tuple[int, int]]:
    return [(values[i], values[i + 1]) for i in range(len(values) - 1)]
""",
        "[(values[i], values[i + 1]) for i in range(len(values) - 1)]",
        "list(zip(values, values[2:]))",
    ),
    "order of evaluation": (
        """def build(first: Callable, second: Callable):
    left = first(1)
    right = second(2)
    return {"b": right, "a": left}
""",
        """    left = first(1)
    right = second(2)
    return {"b": right, "a": left}""",
        """    return {"b": second(2), "a": first(1)}""",
    ),
    "order of a check and a call": (
        """def store(save, value):
    if value is None:
        raise ValueError("no value")
    save(value)
    return value
""",
        """    if value is None:
        raise ValueError("no value")
    save(value)
""",
        """    save(value)
    if value is None:
        raise ValueError("no value")
""",
    ),
    "last for first": (
        """def find(users, name):
    for user in users:
        if user["name"] == name:
            return user
    return None
""",
        """    for user in users:
        if user["name"] == name:
            return user
    return None
""",
        """    by_name = {user["name"]: user for user in users}
    return by_name.get(name)
""",
    ),
    "last for first at a tie": (
        """def best(items: list[dict[str, int]]) -> Optional[dict[str, int]]:
    found = None
    for item in items:
        if found is None or item["score"] > found["score"]:
            found = item
    return found
""",
        'item["score"] > found',
        'item["score"] >= found',
    ),
    "dropped await": (
        """async def load(fetch, keep, urls):
    found = []
    for url in urls:
        data = await fetch(url)
        await keep(data)
        found.append(data)
    return found
""",
        "await keep",
        "keep",
    ),
    "dropped await of its own": (
        """LOG = []
async def _note(text):
    LOG.append(text)
async def act(name: str) -> int:
    await _note(name)
    return len(LOG)
""",
        "await _note(name)\n    return",
        "_note(name)\n    return",
    ),
    "order of merged dictionaries": (
        """def settings(defaults: dict[str, int], given: dict[str, int]) -> dict[str, int]:
    merged = dict(defaults)
    merged.update(given)
    return merged
""",
        """    merged = dict(defaults)
    merged.update(given)
    return merged
""",
        """    return {**given, **defaults}
""",
    ),
    "lower for casefold": (
        """def same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()
""",
        "one.casefold() == other.casefold()",
        "one.lower() == other.lower()",
    ),
    "a flag of an expression": (
        """def names(text: str) -> list[str]:
    return re.findall(r"^name: (\\w+)$", text, re.MULTILINE)
""",
        ", re.MULTILINE",
        "",
    ),
    "another flag": (
        """PATTERN = re.compile(r"error: (.+)", re.IGNORECASE)
def errors(text: str) -> list[str]:
    return PATTERN.findall(text)
""",
        "re.IGNORECASE",
        "re.DOTALL",
    ),
    "all for any": (
        """def has_negative(values: list[int]) -> bool:
    for value in values:
        if value < 0:
            return True
    return False
""",
        """    for value in values:
        if value < 0:
            return True
    return False
""",
        """    return all(value < 0 for value in values)
""",
    ),
    "any for all of nothing": (
        """def ready(parts: list[bool]) -> bool:
    return all(parts)
""",
        "all(parts)",
        "bool(parts) and all(parts)",
    ),
    "precedence": (
        """def allowed(admin: bool, owner: bool, locked: bool) -> bool:
    return (admin or owner) and not locked
""",
        "(admin or owner) and not locked",
        "admin or owner and not locked",
    ),
    "precedence of a conditional": (
        """def total(price: int, extra: Optional[int]) -> int:
    return price + (extra if extra is not None else 0)
""",
        "price + (extra if extra is not None else 0)",
        "price + extra if extra is not None else 0",
    ),
    "break for continue": (
        """def evens(values: list[int]) -> list[int]:
    found = []
    for value in values:
        if value % 2:
            continue
        found.append(value)
    return found
""",
        "continue",
        "break",
    ),
    "continue for break": (
        """def head(lines: list[str]) -> list[str]:
    found = []
    for line in lines:
        if not line:
            break
        found.append(line)
    return found
""",
        "break",
        "continue",
    ),
    "shallow copy": (
        """def with_defaults(config: dict[str, Any]) -> dict[str, Any]:
    result = copy.deepcopy(config)
    result.setdefault("tags", []).append("new")
    return result
""",
        "copy.deepcopy(config)",
        "dict(config)",
    ),
    "rows that are one": (
        """def grid(rows: int, columns: int) -> list[list[int]]:
    return [[0] * columns for _ in range(rows)]
""",
        "[[0] * columns for _ in range(rows)]",
        "[[0] * columns] * rows",
    ),
    "no copy": (
        """def tail(values: list[int]) -> list[int]:
    result = list(values)
    result.sort()
    return result
""",
        "list(values)",
        "values",
    ),
    "dropped raise": (
        """def read(load, fallback):
    try:
        return load()
    except KeyError:
        return fallback
    except ValueError:
        fallback(1)
        raise
""",
        "fallback(1)\n        raise",
        "fallback(1)",
    ),
    "more is caught": (
        """def number(text: str) -> Optional[int]:
    try:
        return 10 // int(text)
    except ValueError:
        return None
""",
        "except ValueError",
        "except (ValueError, ArithmeticError)",
    ),
    "dropped time zone": (
        """def day(moment: datetime) -> datetime:
    return datetime(moment.year, moment.month, moment.day, tzinfo=moment.tzinfo)
""",
        ", tzinfo=moment.tzinfo",
        "",
    ),
    "local time for UTC": (
        """def seconds(moment: datetime) -> float:
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return moment.timestamp()
""",
        """    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
""",
        """    moment = moment.replace(tzinfo=timezone.utc)
""",
    ),
    "rstrip for removesuffix": (
        """def stem(name: str) -> str:
    if name.endswith(".txt"):
        name = name[:-4]
    return name
""",
        """    if name.endswith(".txt"):
        name = name[:-4]
    return name
""",
        """    return name.rstrip(".txt")
""",
    ),
    "lstrip for removeprefix": (
        """def path(url: str) -> str:
    return url.removeprefix("https://")
""",
        'removeprefix("https://")',
        'lstrip("https://")',
    ),
    "or for the default of get": (
        """def retries(options: dict[str, int]) -> int:
    return options.get("retries", 3)
""",
        'options.get("retries", 3)',
        'options.get("retries") or 3',
    ),
    "get for a test of keys": (
        """def value(options: dict[str, Optional[int]], key: str) -> Optional[int]:
    if key in options:
        return options[key]
    return -1
""",
        """    if key in options:
        return options[key]
    return -1
""",
        """    return options.get(key) or -1
""",
    ),
    "a generator that is read twice": (
        """def span(values: Iterable[int]) -> Optional[tuple[int, int]]:
    values = list(values)
    if not values:
        return None
    return min(values), max(values)
""",
        "    values = list(values)\n",
        "",
    ),
    "a generator that is read ahead": (
        """def doubled(values: Iterable[int]) -> Iterator[int]:
    for value in values:
        yield value * 2
""",
        """    for value in values:
        yield value * 2
""",
        """    yield from [value * 2 for value in values]
""",
    ),
    "no short circuit": (
        """def valid(checks: list[Callable], value: int) -> bool:
    return all(check(value) for check in checks)
""",
        "all(check(value) for check in checks)",
        "all([check(value) for check in checks])",
    ),
    "floor for truncation": (
        """def half(n: int) -> int:
    return n // 2
""",
        "n // 2",
        "int(n / 2)",
    ),
    "modulo of negatives": (
        """def wrap(n: int, size: int) -> int:
    if size <= 0:
        raise ValueError("size")
    return n % size
""",
        "n % size",
        "abs(n) % size",
    ),
    "minus zero": (
        """def sign(x: float) -> float:
    return 0.0 if x == 0 else x
""",
        "0.0 if x == 0 else x",
        "x",
    ),
    "nan": (
        """def same(x: float, y: float) -> bool:
    return not x < y and not x > y
""",
        "not x < y and not x > y",
        "x == y",
    ),
    "truth for None": (
        """def limit(values: list[int], most: Optional[int] = None) -> list[int]:
    if most is None:
        return values
    return values[:most]
""",
        "most is None",
        "not most",
    ),
    "greater for greater or equal": (
        """def grade(score: int) -> str:
    if score >= 90:
        return "A"
    if score >= 75:
        return "B"
    return "C"
""",
        "score >= 75",
        "score > 75",
    ),
    "a boundary of a sum": (
        """def shipping(prices: list[int]) -> int:
    total = sum(prices)
    if total > 5000:
        return 0
    return 499
""",
        "total > 5000",
        "total >= 5000",
    ),
    "a chained boundary": (
        """def inside(low: int, x: int, high: int) -> bool:
    return low <= x < high
""",
        "low <= x < high",
        "low <= x <= high",
    ),
    "or for and": (
        """def discount(age: int, member: bool) -> int:
    if age > 65 and member:
        return 20
    return 0
""",
        "age > 65 and member",
        "age > 65 or member",
    ),
    "a negation that stops half way": (
        """def skip(done: bool, empty: bool) -> bool:
    return not (done and empty)
""",
        "not (done and empty)",
        "not done and not empty",
    ),
    "a sort that is not stable": (
        """def ranked(rows: list[dict[str, int]]) -> list[dict[str, int]]:
    return sorted(rows, key=lambda row: row["points"], reverse=True)
""",
        'sorted(rows, key=lambda row: row["points"], reverse=True)',
        'sorted(rows, key=lambda row: row["points"])[::-1]',
    ),
    "an order that is lost": (
        """def unique(values: list[str]) -> list[str]:
    seen = set()
    found = []
    for value in values:
        if value not in seen:
            seen.add(value)
            found.append(value)
    return found
""",
        """    seen = set()
    found = []
    for value in values:
        if value not in seen:
            seen.add(value)
            found.append(value)
    return found
""",
        """    return sorted(set(values))
""",
    ),
    "the first of equal keys": (
        """def index(rows: list[dict[str, Any]]) -> dict[Any, Any]:
    found = {}
    for row in rows:
        found.setdefault(row["id"], row)
    return found
""",
        """    found = {}
    for row in rows:
        found.setdefault(row["id"], row)
    return found
""",
        """    return {row["id"]: row for row in rows}
""",
    ),
    "split at each blank": (
        """def words(text: str) -> list[str]:
    return text.split()
""",
        "text.split()",
        "text.split(' ')",
    ),
    "lines of another kind": (
        """def rows(text: str) -> list[str]:
    return text.splitlines()
""",
        "text.splitlines()",
        "text.split('\\n')",
    ),
    "digits of other scripts": (
        """def is_number(text: str) -> bool:
    return text.isdigit()
""",
        "text.isdigit()",
        "text.isdecimal()",
    ),
    "match for fullmatch": (
        """CODE = re.compile(r"[A-Z]{2}\\d+")
def is_code(text: str) -> bool:
    return CODE.fullmatch(text) is not None
""",
        "CODE.fullmatch",
        "CODE.match",
    ),
    "one replacement": (
        """def cleaned(text: str) -> str:
    return re.sub(r"\\s+", " ", text)
""",
        '" ", text)',
        '" ", text, count=1)',
    ),
    "an end that is left out": (
        """def closing(open_, text):
    handle = open_(text)
    try:
        return handle.read(4)
    finally:
        handle.close()
""",
        """    try:
        return handle.read(4)
    finally:
        handle.close()
""",
        """    data = handle.read(4)
    handle.close()
    return data
""",
    ),
    "a lock that is left early": (
        """def add(lock, store, value):
    with lock:
        store.append_row(value)
        return store.total()
""",
        "        return store.total()",
        "    return store.total()",
    ),
    "a default that is kept": (
        """def collected(value: int, into: Optional[list[int]] = None) -> list[int]:
    if into is None:
        into = []
    into.append(value)
    return into
""",
        """into: Optional[list[int]] = None) -> list[int]:
    if into is None:
        into = []
""",
        """into: Optional[list[int]] = []) -> list[int]:
""",
    ),
    "late binding": (
        """def adders(steps: list[int]) -> list[int]:
    made = [lambda x, step=step: x + step for step in steps]
    return [each(10) for each in made]
""",
        "lambda x, step=step: x + step",
        "lambda x: x + step",
    ),
    "bool for int": (
        """def kind(value) -> str:
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int):
        return "number"
    return "other"
""",
        """    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int):
        return "number"
""",
        """    if isinstance(value, int):
        return "number"
    if isinstance(value, bool):
        return "flag"
""",
    ),
    "a type for an instance": (
        """def flat(values: list) -> list:
    found = []
    for value in values:
        if isinstance(value, (list, tuple)):
            found.extend(flat(list(value)))
        else:
            found.append(value)
    return found
""",
        "isinstance(value, (list, tuple))",
        "type(value) is list",
    ),
    "a level that is changed": (
        """LOGGER = logging.getLogger("shop")
def order(count: int) -> int:
    if count < 1:
        LOGGER.warning("nothing to order")
        return 0
    LOGGER.info("ordered %d", count)
    return count
""",
        'LOGGER.warning("nothing',
        'LOGGER.info("nothing',
    ),
    "a message that is lost": (
        """def report(values: list[int]) -> int:
    for value in values:
        if value < 0:
            print("negative", value)
    return len(values)
""",
        '            print("negative", value)\n',
        '            print("negative")\n',
    ),
    "another order of two notes": (
        """def act(before, after, n: int) -> int:
    before(n)
    try:
        return n + 1
    finally:
        after(n)
""",
        """    before(n)
    try:
        return n + 1
    finally:
        after(n)
""",
        """    after(n)
    before(n)
    return n + 1
""",
    ),
    "a state that is shared": (
        """class Basket:
    def __init__(self, items: Optional[list[str]] = None):
        self._items = list(items or [])
    def add(self, item: str) -> None:
        self._items.append(item)
    def all(self) -> list[str]:
        return list(self._items)
""",
        "return list(self._items)",
        "return self._items",
    ),
    "what is given is kept": (
        """class Queue:
    def __init__(self, items: list[int]):
        self._items = list(items)
    def take(self) -> Optional[int]:
        return self._items.pop(0) if self._items else None
""",
        "self._items = list(items)",
        "self._items = items",
    ),
    "a pop at the other end": (
        """class Queue:
    def __init__(self):
        self._items = []
    def put(self, item: int) -> None:
        self._items.append(item)
    def take(self) -> Optional[int]:
        return self._items.pop(0) if self._items else None
""",
        "self._items.pop(0)",
        "self._items.pop()",
    ),
    "a cache that forgets a part of the key": (
        """class Prices:
    def __init__(self):
        self._known = {}
    def of(self, name: str, count: int) -> int:
        key = (name, count)
        if key not in self._known:
            self._known[key] = len(name) * count
        return self._known[key]
""",
        "key = (name, count)",
        "key = name",
    ),
    "true division": (
        """def mean(values: list[int]) -> int:
    if not values:
        return 0
    return sum(values) // len(values)
""",
        "sum(values) // len(values)",
        "round(sum(values) / len(values))",
    ),
    "round for half up": (
        """def cents(price: Decimal) -> Decimal:
    return price.quantize(Decimal("0.01"), rounding="ROUND_HALF_UP")
""",
        ', rounding="ROUND_HALF_UP"',
        "",
    ),
    "a step that is left out": (
        """def kept(text: str) -> str:
    return text.strip().lower().replace(" ", "_")
""",
        "text.strip().lower().replace(' ', '_')".replace("'", '"'),
        'text.lower().replace(" ", "_").strip()',
    ),
    "a set for a list of equal things": (
        """def common(one: list[int], other: list[int]) -> list[int]:
    return [value for value in one if value in other]
""",
        "[value for value in one if value in other]",
        "sorted(set(one) & set(other))",
    ),
    "the end of a range": (
        """def days(first: int, last: int) -> list[int]:
    found = []
    day = first
    while day <= last and len(found) < 50:
        found.append(day)
        day += 1
    return found
""",
        "day <= last",
        "day < last",
    ),
    "else of a loop": (
        """def position(values: list[int], wanted: int) -> int:
    for number, value in enumerate(values):
        if value == wanted:
            break
    else:
        return -1
    return number
""",
        """            break
    else:
        return -1
    return number
""",
        """            return number
    return len(values) - 1
""",
    ),
    "a group that starts over": (
        """def grouped(values: list[str]) -> dict[str, list[str]]:
    found = {}
    for value in values:
        found.setdefault(value[:1], []).append(value)
    return found
""",
        """    found = {}
    for value in values:
        found.setdefault(value[:1], []).append(value)
    return found
""",
        """    return {key: list(each) for key, each in itertools.groupby(values, lambda v: v[:1])}
""",
    ),
    "zip that stops early": (
        """def added(one: list[int], other: list[int]) -> list[int]:
    return [a + b for a, b in itertools.zip_longest(one, other, fillvalue=0)]
""",
        "itertools.zip_longest(one, other, fillvalue=0)",
        "zip(one, other)",
    ),
    "the type of an error": (
        """def parsed(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise KeyError("bad") from error
""",
        "raise KeyError(",
        "raise LookupError(",
    ),
    "an argument that is changed": (
        """def without(options: dict[str, int], key: str) -> dict[str, int]:
    return {name: value for name, value in options.items() if name != key}
""",
        "return {name: value for name, value in options.items() if name != key}",
        "options.pop(key, None)\n    return options",
    ),
    "a swapped comparison of texts": (
        """def latest(versions: list[str]) -> Optional[str]:
    return max(versions, key=lambda v: [*map(int, re.findall("[0-9]+", v))], default=None)
""",
        'max(versions, key=lambda v: [*map(int, re.findall("[0-9]+", v))], default=None)',
        "max(versions, default=None)",
    ),
    "statuses that fall through": (
        """def total(orders):
    result = 0
    for order in orders:
        if order["status"] == "paid":
            result += order["price"] * order["count"]
        elif order["status"] == "refunded":
            result -= order["price"]
    return result
""",
        'elif order["status"] == "refunded":',
        'elif order["status"] != "open":',
    ),
}
