"""Functions and classes in Python, and a good model's rewrites of them."""

from __future__ import annotations

FUNCTIONS: list[tuple[str, str]] = [
    # A helper is taken out.
    (
        "def report(orders):\n"
        "    total = 0\n"
        "    for order in orders:\n"
        "        if order.paid and order.amount > 100:\n"
        "            total = total + order.amount - order.discount\n"
        "    print('Total: ' + str(total))\n"
        "    return total\n",
        "def _net(order):\n"
        '    """What is left of an order."""\n'
        "    return order.amount - order.discount\n\n\n"
        "def report(orders):\n"
        "    total = sum(_net(order) for order in orders if order.paid and order.amount > 100)\n"
        "    print(f'Total: {total}')\n"
        "    return total\n",
    ),
    # Files.
    (
        "import json\ndef load(p):\n    f = open(p)\n    try:\n"
        "        data = json.loads(f.read())\n"
        "    finally:\n        f.close()\n    return data\n",
        "import json\n\n\ndef load(path):\n    with open(path) as file:\n"
        "        return json.load(file)\n".replace("path", "p"),
    ),
    # Renamed locals, types, docstrings, `+=`, constants.
    (
        "def f(a, b):\n    t = a * b\n    t = t + 10\n    if t > 100:\n        t = 100\n"
        "    return t\n",
        "MAXIMUM = 100\nSURCHARGE = 10\n\n\ndef f(a: int, b: int) -> int:\n"
        '    """The price, which is never more than the maximum."""\n'
        "    price = a * b + SURCHARGE\n    return min(price, MAXIMUM)\n",
    ),
    # Duplicated code becomes one function.
    (
        "def a(x):\n    y = x * 3\n    if y > 50:\n        y = 50\n    return y\n\n"
        "def b(x):\n    y = x * 4\n    if y > 50:\n        y = 50\n    return y\n",
        "def _clamp(y):\n    if y > 50:\n        return 50\n    return y\n\n\n"
        "def a(x):\n    return _clamp(x * 3)\n\n\ndef b(x):\n    return _clamp(x * 4)\n",
    ),
    # Exceptions, classes, defaults.
    (
        "import logging\ndef read(s):\n    try:\n        return int(s)\n    except ValueError, :\n"
        "        return None\n".replace(", :", ":"),
        "import logging\n\n\ndef read(s):\n    try:\n        return int(s)\n"
        "    except ValueError:\n        return None\n",
    ),
    (
        "class A(object):\n    def __init__(self, n):\n        super(A, self).__init__()\n"
        "        self.n = n\n    def get(self):\n        return self.n + 1\n",
        'class A:\n    """A number."""\n\n    def __init__(self, n: int) -> None:\n'
        "        super().__init__()\n        self.n = n\n\n"
        "    def get(self) -> int:\n        return self.n + 1\n",
    ),
    (
        "def add(x, xs=[]):\n    xs.append(x)\n    return xs\n",
        "def add(x, xs=None):\n    if xs is None:\n        xs = []\n    xs.append(x)\n"
        "    return xs\n",
    ),
    (
        "import os\ndef find(d):\n    out = []\n    for n in os.listdir(d):\n"
        "        p = os.path.join(d, n)\n        if os.path.isfile(p) and n.endswith('.py'):\n"
        "            out.append(p)\n    return out\n",
        "import os\n\n\ndef find(d):\n    paths = (os.path.join(d, n) for n in os.listdir(d) "
        "if n.endswith('.py'))\n    return [p for p in paths if os.path.isfile(p)]\n",
    ),
    (
        "def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\n",
        "from functools import lru_cache\n\n\n@lru_cache(maxsize=None)\ndef fib(n: int) -> int:\n"
        '    """The n-th number."""\n    if n < 2:\n        return n\n'
        "    return fib(n - 1) + fib(n - 2)\n",
    ),
    (
        "class Cart:\n    def __init__(self):\n        self.items = []\n"
        "    def total(self):\n        t = 0\n        for i in self.items:\n"
        "            t += i.price * i.count\n        if t > 1000:\n            t = t * 0.9\n"
        "        return t\n",
        "class Cart:\n    DISCOUNT_FROM = 1000\n    DISCOUNT = 0.9\n\n"
        "    def __init__(self) -> None:\n        self.items = []\n\n"
        "    def total(self) -> float:\n"
        "        total = sum(item.price * item.count for item in self.items)\n"
        "        if total > self.DISCOUNT_FROM:\n            return total * self.DISCOUNT\n"
        "        return total\n",
    ),
    (
        "def main():\n    x = 5\n    print('x is ' + str(x))\nmain()\n",
        "def main() -> None:\n    x = 5\n    print(f'x is {x}')\n\n\n"
        "if __name__ == '__main__':\n    main()\n",
    ),
    (
        "def clean(s):\n    s = s.strip()\n    s = s.lower()\n    s = s.replace(' ', '_')\n"
        "    return s\n",
        "def clean(s: str) -> str:\n    return s.strip().lower().replace(' ', '_')\n",
    ),
    (
        "def swap(xs, i, j):\n    tmp = xs[i]\n    xs[i] = xs[j]\n    xs[j] = tmp\n",
        "def swap(xs, i, j):\n    xs[i], xs[j] = xs[j], xs[i]\n",
    ),
]
