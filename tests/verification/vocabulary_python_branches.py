"""Conditions and look-ups in Python, and a good model's rewrites of them."""

from __future__ import annotations

BRANCHES: list[tuple[str, str]] = [
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
    # `get`.
    (
        "def look(d, k):\n    if k in d:\n        return d[k]\n    else:\n        return None\n",
        "def look(d, k):\n    return d.get(k)\n",
    ),
    (
        "def look(d, k):\n    try:\n        return d[k]\n    except KeyError:\n        return 0\n",
        "def look(d, k):\n    return d.get(k, 0)\n",
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
]
