"""Rewrites that keep the behavior: the original, what is replaced in it, and by what."""

from __future__ import annotations

RIGHT: dict[str, tuple[str, str, str]] = {
    "a comprehension": (
        """def evens(values: list[int]) -> list[int]:
    found = []
    for value in values:
        if value % 2 == 0:
            found.append(value * 2)
    return found
""",
        """    found = []
    for value in values:
        if value % 2 == 0:
            found.append(value * 2)
    return found
""",
        """    return [value * 2 for value in values if value % 2 == 0]
""",
    ),
    "any": (
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
        """    return any(value < 0 for value in values)
""",
    ),
    "a guard": (
        """def grade(score: int) -> str:
    if score < 0:
        raise ValueError("score")
    else:
        if score >= 90:
            return "A"
        elif score >= 75:
            return "B"
        else:
            return "C"
""",
        """    else:
        if score >= 90:
            return "A"
        elif score >= 75:
            return "B"
        else:
            return "C"
""",
        """    if score >= 90:
        return "A"
    if score > 74:
        return "B"
    return "C"
""",
    ),
    "a table": (
        """def price(kind: str) -> int:
    if kind == "child":
        return 5
    elif kind == "adult":
        return 12
    elif kind == "senior":
        return 8
    else:
        return 0
""",
        """    if kind == "child":
        return 5
    elif kind == "adult":
        return 12
    elif kind == "senior":
        return 8
    else:
        return 0
""",
        """    return {"child": 5, "adult": 12, "senior": 8}.get(kind, 0)
""",
    ),
    "removesuffix": (
        """def stem(name: str) -> str:
    if name.endswith(".txt"):
        return name[:-len(".txt")]
    return name
""",
        """    if name.endswith(".txt"):
        return name[:-len(".txt")]
    return name
""",
        """    return name.removesuffix(".txt")
""",
    ),
    "a helper": (
        """def receipt(items: list[tuple[str, int]], member: bool) -> str:
    total = 0
    for name, cost in items:
        total += cost
    if member:
        total = total * 9 // 10
    return f"Total: {total}"
""",
        """def receipt(items: list[tuple[str, int]], member: bool) -> str:
    total = 0
    for name, cost in items:
        total += cost
    if member:
        total = total * 9 // 10
    return f"Total: {total}"
""",
        """def _total(items: list[tuple[str, int]]) -> int:
    return sum(cost for _, cost in items)


def receipt(items: list[tuple[str, int]], member: bool) -> str:
    total = _total(items)
    return f"Total: {total * 9 // 10 if member else total}"
""",
    ),
    "a counter": (
        """def counts(words: list[str]) -> dict[str, int]:
    found = {}
    for word in words:
        if word in found:
            found[word] = found[word] + 1
        else:
            found[word] = 1
    return found
""",
        """        if word in found:
            found[word] = found[word] + 1
        else:
            found[word] = 1
""",
        """        found[word] = found.get(word, 0) + 1
""",
    ),
    "setdefault": (
        """def grouped(rows):
    found = {}
    for row in rows:
        key = row["kind"]
        if key not in found:
            found[key] = []
        found[key].append(row["value"])
    return found
""",
        """        if key not in found:
            found[key] = []
        found[key].append(row["value"])
""",
        """        found.setdefault(key, []).append(row["value"])
""",
    ),
    "merged": (
        """def settings(defaults: dict[str, int], given: dict[str, int]) -> dict[str, int]:
    merged = dict(defaults)
    merged.update(given)
    return merged
""",
        """    merged = dict(defaults)
    merged.update(given)
    return merged
""",
        """    return {**defaults, **given}
""",
    ),
    "enumerate": (
        """def numbered(lines: list[str]) -> list[str]:
    found = []
    for i in range(len(lines)):
        found.append(f"{i + 1}: {lines[i]}")
    return found
""",
        """    for i in range(len(lines)):
        found.append(f"{i + 1}: {lines[i]}")
""",
        """    for i, line in enumerate(lines, 1):
        found.append(f"{i}: {line}")
""",
    ),
    "a context": (
        """def quiet(action):
    try:
        action()
    except ValueError:
        pass
    return 1
""",
        """    try:
        action()
    except ValueError:
        pass
""",
        """    with contextlib.suppress(ValueError):
        action()
""",
    ),
    "max": (
        """def top(values: list[int]) -> Optional[int]:
    best = None
    for value in values:
        if best is None or value > best:
            best = value
    return best
""",
        """    best = None
    for value in values:
        if best is None or value > best:
            best = value
    return best
""",
        """    return max(values, default=None)
""",
    ),
    "join": (
        """def text(parts: list[str]) -> str:
    result = ""
    for part in parts:
        if result:
            result += ", "
        result += part.strip()
    return result
""",
        """    result = ""
    for part in parts:
        if result:
            result += ", "
        result += part.strip()
    return result
""",
        """    result = ""
    for part in map(str.strip, parts):
        result = f"{result}, {part}" if result else part
    return result
""",
    ),
    "de Morgan": (
        """def skip(done: bool, empty: bool) -> bool:
    return not (done and empty)
""",
        "not (done and empty)",
        "not done or not empty",
    ),
    "chained": (
        """def inside(low: int, x: int, high: int) -> bool:
    return x >= low and x < high
""",
        "x >= low and x < high",
        "low <= x < high",
    ),
    "orders": (
        """def revenue(orders):
    total = 0
    for order in orders:
        if order["status"] == "paid":
            if order["total"] > 100:
                total = total + order["total"] * 0.9
            else:
                total = total + order["total"]
    return total
""",
        """        if order["status"] == "paid":
            if order["total"] > 100:
                total = total + order["total"] * 0.9
            else:
                total = total + order["total"]
""",
        """        if order["status"] != "paid":
            continue
        amount = order["total"]
        total += amount * 0.9 if amount > 100 else amount
""",
    ),
    "a dataclass": (
        """class Point:
    def __init__(self, x: int, y: int = 0):
        self.x = x
        self.y = y
    def moved(self, dx: int) -> "Point":
        return Point(self.x + dx, self.y)
""",
        """class Point:
    def __init__(self, x: int, y: int = 0):
        self.x = x
        self.y = y
    def""",
        """class Point:
    def __init__(self, x: int, y: int = 0):
        self.x, self.y = x, y
    def""",
    ),
    "a stack": (
        """class Stack:
    def __init__(self):
        self._items = []
    def push(self, item: int) -> None:
        self._items.append(item)
    def pop(self) -> Optional[int]:
        if len(self._items) == 0:
            return None
        else:
            return self._items.pop()
    def size(self) -> int:
        return len(self._items)
""",
        """        if len(self._items) == 0:
            return None
        else:
            return self._items.pop()
""",
        """        return self._items.pop() if self._items else None
""",
    ),
    "async": (
        """async def load(fetch, urls):
    found = []
    for url in urls:
        data = await fetch(url)
        if data is not None:
            found.append(data)
    return found
""",
        """    found = []
    for url in urls:
        data = await fetch(url)
        if data is not None:
            found.append(data)
    return found
""",
        """    return [data for url in urls if (data := await fetch(url)) is not None]
""",
    ),
    "recursion to a loop": (
        """def factorial(n: int) -> int:
    if n < 0:
        raise ValueError("negative")
    if n > 200:
        raise OverflowError("large")
    if n <= 1:
        return 1
    return n * factorial(n - 1)
""",
        """    if n <= 1:
        return 1
    return n * factorial(n - 1)
""",
        """    result = 1
    for factor in range(2, n + 1):
        result *= factor
    return result
""",
    ),
    "email": (
        """def valid(email: str) -> bool:
    if "@" not in email:
        return False
    name, domain = email.split("@", 1)
    if not name or not domain:
        return False
    if "." not in domain:
        return False
    return True
""",
        """    if "@" not in email:
        return False
    name, domain = email.split("@", 1)
    if not name or not domain:
        return False
    if "." not in domain:
        return False
    return True
""",
        """    name, at, domain = email.partition("@")
    return bool(at and name and domain and "." in domain)
""",
    ),
    "yield from": (
        """def flat(rows: list[list[int]]) -> Iterator[int]:
    for row in rows:
        for value in row:
            yield value
""",
        """        for value in row:
            yield value
""",
        """        yield from row
""",
    ),
    "early return": (
        """def discount(customer, amount: float) -> float:
    if customer is not None:
        if customer["vip"]:
            if amount >= 100:
                return amount * 0.8
            return amount * 0.9
        return amount
    return amount
""",
        """    if customer is not None:
        if customer["vip"]:
            if amount >= 100:
                return amount * 0.8
            return amount * 0.9
        return amount
    return amount
""",
        """    if customer is None or not customer["vip"]:
        return amount
    return amount * (0.8 if amount >= 100 else 0.9)
""",
    ),
    "pattern": (
        """def slug(title: str) -> str:
    title = title.lower()
    title = re.sub(r"[^a-z0-9]+", "-", title)
    title = title.strip("-")
    return title
""",
        """    title = title.lower()
    title = re.sub(r"[^a-z0-9]+", "-", title)
    title = title.strip("-")
    return title
""",
        """    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
""",
    ),
    "two loops": (
        """def matrix_sum(matrix: list[list[int]]) -> int:
    total = 0
    for i in range(len(matrix)):
        for j in range(len(matrix[i])):
            total += matrix[i][j]
    return total
""",
        """    total = 0
    for i in range(len(matrix)):
        for j in range(len(matrix[i])):
            total += matrix[i][j]
    return total
""",
        """    return sum(value for row in matrix for value in row)
""",
    ),
    "binary search": (
        """def find(values: list[int], wanted: int) -> int:
    values = sorted(values)
    low = 0
    high = len(values) - 1
    while low <= high:
        middle = (low + high) // 2
        if values[middle] == wanted:
            return middle
        elif values[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1
""",
        """        if values[middle] == wanted:
            return middle
        elif values[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
""",
        """        value = values[middle]
        if value == wanted:
            return middle
        if value < wanted:
            low = middle + 1
        else:
            high = middle - 1
""",
    ),
    "users": (
        """def names(users, minimum=18):
    result = []
    for u in users:
        if u.age >= minimum and u.active:
            result.append(u.name.upper())
    result.sort()
    return result
""",
        """    result = []
    for u in users:
        if u.age >= minimum and u.active:
            result.append(u.name.upper())
    result.sort()
    return result
""",
        """    return sorted(u.name.upper() for u in users if u.age >= minimum and u.active)
""",
    ),
    "leap": (
        """def leap(year: int) -> bool:
    if year % 4 == 0:
        if year % 100 == 0:
            if year % 400 == 0:
                return True
            return False
        return True
    return False
""",
        """    if year % 4 == 0:
        if year % 100 == 0:
            if year % 400 == 0:
                return True
            return False
        return True
    return False
""",
        """    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
""",
    ),
    "logged": (
        """LOGGER = logging.getLogger("shop")
def order(stock: dict[str, int], name: str) -> bool:
    if name in stock:
        if stock[name] > 0:
            stock[name] -= 1
            LOGGER.info("ordered %s", name)
            return True
        else:
            LOGGER.warning("none left of %s", name)
            return False
    else:
        LOGGER.warning("unknown %s", name)
        return False
""",
        """    if name in stock:
        if stock[name] > 0:
            stock[name] -= 1
            LOGGER.info("ordered %s", name)
            return True
        else:
            LOGGER.warning("none left of %s", name)
            return False
    else:
        LOGGER.warning("unknown %s", name)
        return False
""",
        """    if name not in stock:
        LOGGER.warning("unknown %s", name)
        return False
    if stock[name] <= 0:
        LOGGER.warning("none left of %s", name)
        return False
    stock[name] -= 1
    LOGGER.info("ordered %s", name)
    return True
""",
    ),
    "retries": (
        """def retry(action, times: int = 3):
    count = 0
    while True:
        try:
            return action()
        except ValueError:
            count += 1
            if count >= times:
                raise
""",
        """    count = 0
    while True:
        try:
            return action()
        except ValueError:
            count += 1
            if count >= times:
                raise
""",
        """    failed = 0
    while True:
        try:
            return action()
        except ValueError:
            failed = failed + 1
            if not failed < times:
                raise
""",
    ),
    "date": (
        """def weekend(day: datetime) -> bool:
    if day.weekday() == 5 or day.weekday() == 6:
        return True
    else:
        return False
""",
        """    if day.weekday() == 5 or day.weekday() == 6:
        return True
    else:
        return False
""",
        """    return day.weekday() in (5, 6)
""",
    ),
    "account": (
        """class Account:
    def __init__(self, balance: int = 0):
        self.balance = balance
        self._history = []
    def deposit(self, amount: int) -> None:
        if amount <= 0:
            raise ValueError("amount")
        self.balance = self.balance + amount
        self._history.append(("deposit", amount))
    def withdraw(self, amount: int) -> bool:
        if amount <= 0:
            raise ValueError("amount")
        if amount > self.balance:
            return False
        self.balance = self.balance - amount
        self._history.append(("withdraw", amount))
        return True
    def history(self):
        return list(self._history)
""",
        """    def withdraw(self, amount: int) -> bool:
        if amount <= 0:
            raise ValueError("amount")
        if amount > self.balance:
            return False
        self.balance = self.balance - amount
        self._history.append(("withdraw", amount))
        return True
""",
        """    def withdraw(self, amount: int) -> bool:
        _check(amount)
        if self.balance < amount:
            return False
        self.balance -= amount
        self._history.append(("withdraw", amount))
        return True
""",
    ),
    "cents": (
        """def cents(price: Decimal, rate: Decimal = Decimal("0.19")) -> Decimal:
    tax = price * rate
    total = price + tax
    return total.quantize(Decimal("0.01"))
""",
        """    tax = price * rate
    total = price + tax
    return total.quantize(Decimal("0.01"))
""",
        """    return (price + price * rate).quantize(Decimal("0.01"))
""",
    ),
}
RIGHT["account"] = (
    RIGHT["account"][0],
    RIGHT["account"][1],
    RIGHT["account"][2] + "    _unused = None\n",
)
RIGHT["account"] = (
    RIGHT["account"][0] + "def _check(amount: int) -> None:\n    if amount <= 0:\n"
    '        raise ValueError("amount")\n',
    RIGHT["account"][1],
    RIGHT["account"][2].replace("    _unused = None\n", ""),
)
