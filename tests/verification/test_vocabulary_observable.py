"""Which numbers a run shows."""

from __future__ import annotations

import pytest

from codeintel.engine.equivalence.behaviour_heuristics.observable import are_observable

SHOWN = {
    "divided in another order": (
        "def f(s): return s // 3600, s % 3600 // 60",
        "def f(s):\n m, s = divmod(s, 60)\n return divmod(m, 60)",
    ),
    "a limit": ("def f(x): return x < 10", "def f(x): return x < 11"),
    "a factor": ("def f(x): return x * 12", "def f(x): return x * 3 * 4"),
}
NOT_SHOWN = {
    "the length of a slice": ("def f(x): return x[:100]", "def f(x): return x[:1000]"),
    "the size of a buffer": ("def f(x): return x.read(4096)", "def f(x): return x.read(512)"),
    "an index": ("def f(x): return x[2]", "def f(x): return x[3]"),
    "a default": ("def f(x=30): return x", "def f(x=60): return x"),
    "a fraction": ("def f(x): return x * 0.5", "def f(x): return x * 0.25"),
    "a very large one": ("def f(x): return x % 998244353", "def f(x): return x % 1000000007"),
    "a slice, though compared elsewhere": (
        "def f(x): return x[:20] if len(x) < 20 else x[:20]",
        "def f(x): return x[:30] if len(x) < 30 else x[:30]",
    ),
    "a product within a slice": ("def f(x): return x[: 4 * 25]", "def f(x): return x[: 5 * 25]"),
    "a sum within a slice": (
        "def f(x, i): return x[i : i + 100]",
        "def f(x, i): return x[i : i + 50]",
    ),
    "a product that is given": (
        "def f(x): return x.read(4 * 1024)",
        "def f(x): return x.read(2 * 1024)",
    ),
    "a product as a default": ("def f(x=10 * 3): return x", "def f(x=10 * 4): return x"),
    "a product of the module": (
        "A = 2 * 50\ndef f(x): return x[:A]",
        "A = 3 * 50\ndef f(x): return x[:A]",
    ),
    "one elsewhere, and one that is shown": (
        "def f(x): return x[:20], x[:20], len(x) < 7",
        "def f(x): return x[:20], len(x) < 8",
    ),
    "none differs": ("def f(x): return x + 5", "def f(x): return 5 + x"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_run_shows_them(name: str) -> None:
    assert are_observable(*SHOWN[name])


@pytest.mark.parametrize("name", NOT_SHOWN)
def test_a_run_does_not_show_them(name: str) -> None:
    assert not are_observable(*NOT_SHOWN[name])
