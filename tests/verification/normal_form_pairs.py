"""Making pairs of code, before a step of the normal form and after it."""

from __future__ import annotations

Pair = tuple[str, str]


def in_function(before: str, after: str, *, head: str = "", given: str = "x") -> Pair:
    return f"{head}def f({given}):\n    {before}\n", f"{head}def f({given}):\n    {after}\n"


TYPES = "return isinstance(x, str) or isinstance(x, {})"
BOTH = "return isinstance(x, (str, {}))"
TRIED = "try: x()\n    except {}: pass"
SUPPRESSED = "with contextlib.suppress({}): x()"
GUARDED = "try:\n    import numpy as np\nexcept ImportError:\n    np = None\n"
ENCODER = (
    "class C:\n    def {}(self, *x):\n        self.log.append(x)\n        return x\n"
    "    def f(self, xs):\n        return {}\n"
)
BUILT = "z = [9]\n    {}:\n        z = []\n        for x in xs: z.append(int(x))\n{}    return z"
AT_ONCE = "z = [9]\n    {}:\n        z = [int(x) for x in xs]\n{}    return z"


def built(head: str, tail: str = "") -> Pair:
    return in_function(BUILT.format(head, tail), AT_ONCE.format(head, tail), given="xs")
