"""Rewrites of Python that read well and behave otherwise, more of them: each before and after."""

from __future__ import annotations

_COMPUTING = "def f(a, g, c):\n    return a < g() and g() < c\n"
MORE_PYTHON = {
    "the order of arguments' evaluation": (
        "def f(g, h):\n    a = g()\n    b = h()\n    return (b, a)\n",
        "def f(g, h):\n    return (h(), g())\n",
    ),
    "a generator between two readers": (
        "def f(g):\n    xs = [x for x in g]\n    return any(xs) and all(xs)\n",
        "def f(g):\n    xs = (x for x in g)\n    return any(xs) and all(xs)\n",
    ),
    "which entry of a dict wins": (
        "def f(a):\n    return dict(a, k=1)\n",
        "def f(a):\n    return {'k': 1, **a}\n",
    ),
    "the order of a sum": (
        "def f(a, b, c):\n    return a + b + c\n",
        "def f(a, b, c):\n    return a + (b + c)\n",
    ),
    "a variable that a loop leaves": (
        "def f(xs):\n    x = None\n    for x in xs:\n        pass\n    return x\n",
        "def f(xs):\n    x = None\n    [x for x in xs]\n    return x\n",
    ),
    "truth for being True": (
        "def f(a):\n    return a is True\n",
        "def f(a):\n    return bool(a)\n",
    ),
    "truth for length": (
        "def f(a):\n    if len(a) == 0:\n        return 5\n    return 6\n",
        "def f(a):\n    if not a:\n        return 5\n    return 6\n",
    ),
    "the order of handlers": (
        "def f(g):\n    try:\n        return g()\n    except OSError:\n        return 2\n"
        "    except FileNotFoundError:\n        return 3\n",
        "def f(g):\n    try:\n        return g()\n    except FileNotFoundError:\n        return 3\n"
        "    except OSError:\n        return 2\n",
    ),
    "one after the other for all at once": (
        "import asyncio\n\n\nasync def f(g, xs):\n    return [await g(x) for x in xs]\n",
        "import asyncio\n\n\nasync def f(g, xs):\n    return await asyncio.gather(*map(g, xs))\n",
    ),
    "a default that is always computed": (
        "def f(d, g):\n    if 'k' not in d:\n        d['k'] = g()\n    return d['k']\n",
        "def f(d, g):\n    return d.setdefault('k', g())\n",
    ),
    "a sum in place": (
        "def f(xs, ys):\n    xs = xs + ys\n    return xs\n",
        "def f(xs, ys):\n    xs += ys\n    return xs\n",
    ),
    "the else of a loop": (
        "def f(xs):\n    n = 6\n    for x in xs:\n        if x:\n            break\n    else:\n"
        "        n = 5\n    return n\n",
        "def f(xs):\n    n = 6\n    for x in xs:\n        if x:\n            break\n    n = 5\n"
        "    return n\n",
    ),
    "a dropped finally": (
        "def f(g, h):\n    try:\n        g()\n    finally:\n        h()\n",
        "def f(g, h):\n    g()\n    h()\n",
    ),
    "a call that is made once": (_COMPUTING, "def f(a, g, c):\n    return a < g() < c\n"),
    "the order of what is unique": (
        "def f(xs):\n    return list(dict.fromkeys(xs))\n",
        "def f(xs):\n    return list(set(xs))\n",
    ),
    "rounding of negative numbers": (
        "def f(a):\n    return int(a / 2)\n",
        "def f(a):\n    return a >> 1\n",
    ),
    "an attribute that all share": (
        "class A:\n    def __init__(self):\n        self.xs = []\n",
        "class A:\n    xs = []\n\n    def __init__(self):\n        pass\n",
    ),
    "a variable that is bound late": (
        "def f():\n    return [lambda i=i: i for i in range(3)]\n",
        "def f():\n    return [lambda: i for i in range(3)]\n",
    ),
    "the shorter of two lists": (
        "def f(a, b):\n    return [a[i] + b[i] for i in range(len(a))]\n",
        "def f(a, b):\n    return [x + y for x, y in zip(a, b)]\n",
    ),
    "ties in a sort": (
        "def f(xs):\n    return list(reversed(sorted(xs, key=len)))\n",
        "def f(xs):\n    return sorted(xs, key=len, reverse=True)\n",
    ),
}
