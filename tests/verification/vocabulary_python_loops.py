"""Loops in Python, and a good model's rewrites of them."""

from __future__ import annotations

LOOPS: list[tuple[str, str]] = [
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
    # Counting, `setdefault`, `defaultdict`, `Counter`.
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
    # Lambdas, `map`, `filter`.
    (
        "def active(us):\n    return list(map(lambda u: u.name, filter(lambda u: u.on, us)))\n",
        "def active(us):\n    return [u.name for u in us if u.on]\n",
    ),
    # A loop's condition is inverted; nested loops become others.
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
]
