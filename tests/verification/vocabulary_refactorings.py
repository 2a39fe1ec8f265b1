"""What a good model makes of ordinary code: nothing in it may be taken for a fault."""

from __future__ import annotations

PYTHON: list[tuple[str, str]] = [
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
    # Guard clauses, early return.
    (
        "def check(user):\n"
        "    if user is not None:\n"
        "        if user.active:\n"
        "            if user.age >= 18:\n"
        "                return True\n"
        "            else:\n"
        "                return False\n"
        "        else:\n"
        "            return False\n"
        "    else:\n"
        "        return False\n",
        "def check(user) -> bool:\n"
        "    if user is None:\n"
        "        return False\n"
        "    if not user.active:\n"
        "        return False\n"
        "    return user.age >= 18\n",
    ),
    (
        "def check(user):\n"
        "    if user != None:\n"
        "        if user.active == True:\n"
        "            if user.age >= 18:\n"
        "                return True\n"
        "    return False\n",
        "def check(user):\n    return user is not None and user.active and user.age >= 18\n",
    ),
    (
        "def pay(amount, balance):\n"
        "    if amount > 0:\n"
        "        if balance >= amount:\n"
        "            balance = balance - amount\n"
        "            return balance\n"
        "        else:\n"
        "            raise ValueError('not enough')\n"
        "    else:\n"
        "        raise ValueError('not positive')\n",
        "def pay(amount: float, balance: float) -> float:\n"
        '    """Take an amount from a balance."""\n'
        "    if amount <= 0:\n"
        "        raise ValueError('not positive')\n"
        "    if balance < amount:\n"
        "        raise ValueError('not enough')\n"
        "    return balance - amount\n",
    ),
    # Comprehensions.
    (
        "def names(users):\n"
        "    result = []\n"
        "    for i in range(len(users)):\n"
        "        if users[i].active == True:\n"
        "            result.append(users[i].name.upper())\n"
        "    return result\n",
        "def names(users):\n    return [user.name.upper() for user in users if user.active]\n",
    ),
    (
        "def squares(n):\n    out = {}\n    for i in range(n):\n        out[i] = i ** 2\n"
        "    return out\n",
        "def squares(n):\n    return {i: i * i for i in range(n)}\n",
    ),
    # Counting, `get`, `setdefault`, `defaultdict`, `Counter`.
    (
        "def count(words):\n    d = {}\n    for w in words:\n        if w in d:\n"
        "            d[w] = d[w] + 1\n        else:\n            d[w] = 1\n    return d\n",
        "def count(words):\n    counts = {}\n    for word in words:\n"
        "        counts[word] = counts.get(word, 0) + 1\n    return counts\n",
    ),
    (
        "def count(words):\n    d = {}\n    for w in words:\n        if w not in d:\n"
        "            d[w] = 0\n        d[w] += 1\n    return d\n",
        "from collections import Counter\n\n\ndef count(words):\n    return Counter(words)\n",
    ),
    (
        "def group(rows):\n    d = {}\n    for r in rows:\n        if r.key not in d:\n"
        "            d[r.key] = []\n        d[r.key].append(r)\n    return d\n",
        "from collections import defaultdict\n\n\ndef group(rows):\n"
        "    groups = defaultdict(list)\n    for row in rows:\n"
        "        groups[row.key].append(row)\n    return dict(groups)\n",
    ),
    (
        "def look(d, k):\n    if k in d:\n        return d[k]\n    else:\n        return None\n",
        "def look(d, k):\n    return d.get(k)\n",
    ),
    (
        "def look(d, k):\n    try:\n        return d[k]\n    except KeyError:\n        return 0\n",
        "def look(d, k):\n    return d.get(k, 0)\n",
    ),
    # enumerate, zip, any, all, sorted, reversed, max.
    (
        "def show(xs, ys):\n    i = 0\n    while i < len(xs):\n        print(i, xs[i], ys[i])\n"
        "        i = i + 1\n",
        "def show(xs, ys):\n    for i, (x, y) in enumerate(zip(xs, ys)):\n        print(i, x, y)\n",
    ),
    (
        "def has_negative(xs):\n    found = False\n    for x in xs:\n        if x < 0:\n"
        "            found = True\n            break\n    return found\n",
        "def has_negative(xs):\n    return any(x < 0 for x in xs)\n",
    ),
    (
        "def all_even(xs):\n    for x in xs:\n        if x % 2 != 0:\n            return False\n"
        "    return True\n",
        "def all_even(xs):\n    return all(x % 2 == 0 for x in xs)\n",
    ),
    (
        "def by_age(users):\n    copy = list(users)\n    copy.sort(key=lambda u: u.age)\n"
        "    return copy\n",
        "def by_age(users):\n    return sorted(users, key=lambda user: user.age)\n",
    ),
    (
        "def largest(xs):\n    best = xs[0]\n    for x in xs:\n        if x > best:\n"
        "            best = x\n    return best\n",
        "def largest(xs):\n    return max(xs)\n",
    ),
    (
        "def mean(xs):\n    s = 0\n    n = 0\n    for x in xs:\n        s += x\n        n += 1\n"
        "    if n == 0:\n        return 0\n    return s / n\n",
        "def mean(xs):\n    if not xs:\n        return 0\n    return sum(xs) / len(xs)\n",
    ),
    # Files.
    (
        "import json\ndef load(p):\n    f = open(p)\n    try:\n"
        "        data = json.loads(f.read())\n"
        "    finally:\n        f.close()\n    return data\n",
        "import json\n\n\ndef load(path):\n    with open(path) as file:\n"
        "        return json.load(file)\n".replace("path", "p"),
    ),
    # Renamed locals, types, docstrings, `+=`.
    (
        "def f(a, b):\n    t = a * b\n    t = t + 10\n    if t > 100:\n        t = 100\n"
        "    return t\n",
        "MAXIMUM = 100\nSURCHARGE = 10\n\n\ndef f(a: int, b: int) -> int:\n"
        '    """The price, which is never more than the maximum."""\n'
        "    price = a * b + SURCHARGE\n    return min(price, MAXIMUM)\n",
    ),
    (
        "def kind(x):\n    if type(x) == int or type(x) == float:\n        return 'number'\n"
        "    elif type(x) == str:\n        return 'text'\n    else:\n        return 'other'\n",
        "def kind(x):\n    if isinstance(x, (int, float)):\n        return 'number'\n"
        "    if isinstance(x, str):\n        return 'text'\n    return 'other'\n",
    ),
    (
        "def is_vowel(c):\n    if c == 'a' or c == 'e' or c == 'i':\n        return True\n"
        "    return False\n",
        "def is_vowel(c):\n    return c in {'a', 'e', 'i'}\n",
    ),
    # De Morgan, chains, and conditions on one line.
    (
        "def inside(x, lo, hi):\n    if not (x < lo or x > hi):\n        return True\n"
        "    return False\n",
        "def inside(x, lo, hi):\n    return lo <= x <= hi\n",
    ),
    (
        "def fit(a, b):\n    if a:\n        if b:\n            go(a)\n",
        "def fit(a, b):\n    if a and b:\n        go(a)\n",
    ),
    (
        "def word(n):\n    if n == 1:\n        s = 'item'\n    else:\n"
        "        s = 'items'\n    return s\n",
        "def word(n):\n    return 'item' if n == 1 else 'items'\n",
    ),
    # Lambdas, `map`, `filter`.
    (
        "def active(us):\n    return list(map(lambda u: u.name, filter(lambda u: u.on, us)))\n",
        "def active(us):\n    return [u.name for u in us if u.on]\n",
    ),
    # Duplicated code becomes one function.
    (
        "def a(x):\n    y = x * 3\n    if y > 50:\n        y = 50\n    return y\n\n"
        "def b(x):\n    y = x * 4\n    if y > 50:\n        y = 50\n    return y\n",
        "def _clamp(y):\n    if y > 50:\n        return 50\n    return y\n\n\n"
        "def a(x):\n    return _clamp(x * 3)\n\n\ndef b(x):\n    return _clamp(x * 4)\n",
    ),
    # Exceptions, bare `except`, `raise ... from`, classes.
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
    # A loop's condition is inverted; nested loops become a helper.
    (
        "def f(rows):\n    for row in rows:\n        if row.ok:\n            if row.n > 5:\n"
        "                save(row)\n",
        "def f(rows):\n    for row in rows:\n        if not row.ok or row.n <= 5:\n"
        "            continue\n        save(row)\n",
    ),
    (
        "def find(grid, key):\n    for r in range(len(grid)):\n"
        "        for c in range(len(grid[r])):\n"
        "            if grid[r][c] == key:\n                return (r, c)\n    return None\n",
        "def find(grid, key):\n    for r, row in enumerate(grid):\n        for c, cell in "
        "enumerate(row):\n            if cell == key:\n                return r, c\n"
        "    return None\n",
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
        "def state(code):\n    if code == 200:\n        return 'ok'\n    elif code == 404:\n"
        "        return 'missing'\n    elif code == 500:\n        return 'broken'\n"
        "    return 'unknown'\n",
        "def state(code):\n    match code:\n        case 200:\n            return 'ok'\n"
        "        case 404:\n            return 'missing'\n        case 500:\n"
        "            return 'broken'\n        case _:\n            return 'unknown'\n",
    ),
    (
        "def area(shape, a, b):\n    if shape == 'square':\n        return a * a\n"
        "    elif shape == 'rectangle':\n        return a * b\n    else:\n"
        "        raise ValueError('no such shape: ' + shape)\n",
        "_AREAS = {\n    'square': lambda a, b: a * a,\n"
        "    'rectangle': lambda a, b: a * b,\n}\n\n\n"
        "def area(shape, a, b):\n    if shape not in _AREAS:\n"
        "        raise ValueError(f'no such shape: {shape}')\n"
        "    return _AREAS[shape](a, b)\n",
    ),
    (
        "def primes(n):\n    res = []\n    for i in range(2, n + 1):\n        p = True\n"
        "        for j in range(2, i):\n            if i % j == 0:\n                p = False\n"
        "                break\n        if p:\n            res.append(i)\n    return res\n",
        "def _is_prime(i):\n    return all(i % j != 0 for j in range(2, i))\n\n\n"
        "def primes(n):\n    return [i for i in range(2, n + 1) if _is_prime(i)]\n",
    ),
    (
        "def dedupe(xs):\n    seen = []\n    for x in xs:\n        if x not in seen:\n"
        "            seen.append(x)\n    return seen\n",
        "def dedupe(xs):\n    return list(dict.fromkeys(xs))\n",
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
OTHERS: list[tuple[str, str, str]] = [
    (
        "javascript",
        "function total(items) {\n  var t = 0;\n  for (var i = 0; i < items.length; i++) {\n"
        "    if (items[i].paid == true) {\n      t = t + items[i].price * items[i].count;\n    }\n"
        "  }\n  return t;\n}\nmodule.exports = total;\n",
        "function total(items) {\n  return items\n    .filter((item) => item.paid)\n"
        "    .reduce((sum, item) => sum + item.price * item.count, 0);\n}\n"
        "module.exports = total;\n",
    ),
    (
        "javascript",
        "export function check(user) {\n  if (user !== null) {\n    if (user.age >= 18) {\n"
        "      return true;\n    } else {\n      return false;\n    }\n  } else {\n"
        "    return false;\n  }\n}\n",
        "export function check(user) {\n  if (user === null) {\n    return false;\n  }\n"
        "  return user.age >= 18;\n}\n",
    ),
    (
        "javascript",
        "export function load(id, done) {\n  if (!id) {\n    throw new Error('no id');\n  }\n"
        "  var url = '/items/' + id + '?full=' + 5;\n  return get(url).then(function (r) {\n"
        "    return r.items;\n  });\n}\n",
        "export function load(id, done) {\n  if (!id) {\n    throw new Error('no id');\n  }\n"
        "  const url = `/items/${id}?full=${5}`;\n  return get(url).then((r) => r.items);\n}\n",
    ),
    (
        "javascript",
        "export async function a(id) {\n"
        "  return get(id).then(function (x) { return put(x); });\n}\n",
        "export async function a(id) {\n  const x = await get(id);\n  return put(x);\n}\n",
    ),
    (
        "javascript",
        "export function has(xs, x) {\n  for (let i = 0; i < xs.length; i++) {\n"
        "    if (xs[i] === x) { return true; }\n  }\n  return false;\n}\n",
        "export function has(xs, x) {\n  return xs.includes(x);\n}\n",
    ),
    (
        "typescript",
        "export class Cart {\n  private items: Item[] = [];\n  total(): number {\n    let t = 0;\n"
        "    this.items.forEach((item) => {\n      t += item.price * item.count;\n    });\n"
        "    if (t > 1000) {\n      t = t * 0.9;\n    }\n    return t;\n  }\n}\n",
        "const DISCOUNT_FROM = 1000;\nconst DISCOUNT = 0.9;\n\nexport class Cart {\n"
        "  private items: Item[] = [];\n\n  /** The sum of all items. */\n  total(): number {\n"
        "    const sum = this.items.reduce((t, item) => t + item.price * item.count, 0);\n"
        "    return sum > DISCOUNT_FROM ? sum * DISCOUNT : sum;\n  }\n}\n",
    ),
    (
        "java",
        "class Users {\n    List<String> names(List<User> users) {\n"
        "        List<String> result = new ArrayList<String>();\n"
        "        for (int i = 0; i < users.size(); i++) {\n"
        "            if (users.get(i).age() > 18) {\n"
        "                result.add(users.get(i).name());\n            }\n        }\n"
        "        return result;\n    }\n}\n",
        "class Users {\n    List<String> names(List<User> users) {\n"
        "        List<String> result = new ArrayList<>();\n        for (User user : users) {\n"
        "            if (user.age() > 18) {\n                result.add(user.name());\n"
        "            }\n        }\n        return result;\n    }\n}\n",
    ),
    (
        "java",
        "class A {\n    boolean isAdult(User user) {\n        if (user != null) {\n"
        "            if (user.age >= 18) {\n                return true;\n            }\n"
        "        }\n        return false;\n    }\n}\n",
        "class A {\n    boolean isAdult(User user) {\n"
        "        return user != null && user.age >= 18;\n    }\n}\n",
    ),
    (
        "go",
        "package a\n\nfunc Find(xs []int, x int) int {\n\tfor i := 0; i < len(xs); i++ {\n"
        "\t\tif xs[i] == x {\n\t\t\treturn i\n\t\t}\n\t}\n\treturn -1\n}\n",
        "package a\n\n// Find looks for x.\nfunc Find(xs []int, x int) int {\n"
        "\tfor i, each := range xs {\n\t\tif each == x {\n\t\t\treturn i\n\t\t}\n\t}\n"
        "\treturn -1\n}\n",
    ),
    (
        "go",
        "package a\n\nfunc F(x int) (int, error) {\n\tif x > 0 {\n"
        "\t\treturn x * 3, nil\n\t} else {\n"
        '\t\treturn 0, errors.New("negative")\n\t}\n}\n',
        "package a\n\nfunc F(x int) (int, error) {\n\tif x <= 0 {\n"
        '\t\treturn 0, errors.New("negative")\n\t}\n\treturn x * 3, nil\n}\n',
    ),
    (
        "rust",
        "pub fn sum(xs: &[i32]) -> i32 {\n    let mut t = 0;\n    for i in 0..xs.len() {\n"
        "        if xs[i] > 5 {\n            t = t + xs[i];\n        }\n    }\n    return t;\n}\n",
        "/// The sum of what is more than five.\npub fn sum(xs: &[i32]) -> i32 {\n"
        "    xs.iter().filter(|&&x| x > 5).sum()\n}\n",
    ),
    (
        "ruby",
        "def names(users)\n  result = []\n  users.each do |u|\n    if u.age > 18\n"
        "      result << u.name\n    end\n  end\n  return result\nend\n",
        "def names(users)\n  users.select { |u| u.age > 18 }.map(&:name)\nend\n",
    ),
    (
        "php",
        "<?php\nfunction total($items) {\n    $t = 0;\n    foreach ($items as $item) {\n"
        "        $t = $t + $item->price * 3;\n    }\n    return $t;\n}\n",
        "<?php\nfunction total(array $items): int {\n    $total = 0;\n"
        "    foreach ($items as $item) {\n        $total += $item->price * 3;\n    }\n"
        "    return $total;\n}\n",
    ),
    (
        "csharp",
        "class A {\n    public int Count(List<int> xs) {\n        int n = 0;\n"
        "        foreach (var x in xs) {\n            if (x > 7) {\n                n++;\n"
        "            }\n        }\n        return n;\n    }\n}\n",
        "using System.Linq;\nclass A {\n    public int Count(List<int> xs) => "
        "xs.Count(x => x > 7);\n}\n",
    ),
    (
        "c",
        "int max(int a, int b) {\n    if (a > b) {\n        return a;\n    } else {\n"
        "        return b;\n    }\n}\n",
        "/* The larger one. */\nint max(int a, int b)\n{\n    return a > b ? a : b;\n}\n",
    ),
    (
        "kotlin",
        "fun names(users: List<User>): List<String> {\n    val out = mutableListOf<String>()\n"
        "    for (u in users) {\n        if (u.age > 18) {\n"
        "            out.add(u.name)\n        }\n"
        "    }\n    return out\n}\n",
        "fun names(users: List<User>): List<String> =\n"
        "    users.filter { it.age > 18 }.map { it.name }\n",
    ),
]
REFACTORED = [*(("python", *each) for each in PYTHON), *OTHERS]
