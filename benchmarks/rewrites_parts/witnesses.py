"""Find calls that distinguish mutants from their original. Runs as a separate program, under
limits.

Reads a JSON object from standard input, with the `program`, the name of its `function`, the texts
of its `mutants` and a `seed`. Prints a JSON list with a call for each mutant that shows a
difference, or null. A call counts only if the original returns the same value twice, does not fail
for most arguments of that kind, and never fails with an error that indicates misuse.
"""

from __future__ import annotations

import copy
import inspect
import itertools
import json
import random
import resource
import signal
import sys
from collections.abc import Callable
from typing import Any

TRIES = 40
MOST_WITNESSES = 60
MOST_KINDS = 700
SECONDS = 0.2
"""Of processor time for one call: so that a busy machine makes no difference."""
MEMORY = 2**30
PROCESSOR_SECONDS = 30
POOLS: dict[str, list[Any]] = {
    "whole": [0, 1, 2, 3, 7, 12, 29, 100, 1900, 2000, 2024, -1, -5],
    "fraction": [0.0, 0.5, 1.0, 0.25, 0.9, 2.5, -1.5],
    "text": [
        "", "a", "a b", "Hello, World", "/usr/local/lib", "a/b/../c", "x=1&y=2",
        "  two\n    four\n", "file.tar.gz", "it's", "<p class=\"x\">&amp;</p>", "*.py", "[a-c]?*", "http://h:80/p;q?r#s",
        "é%41+", "C:\\dir\\x.txt", ".", "..", "/", "a\tb",
    ],
    "bytes": [b"", b"abc", b"a=b c", b"line\nnext\n", b"=41\r\n"],
    "numbers": [[], [1], [3, 1, 2], [1, 2, 2, 3], [5, 5], [0, 1, 2, 3, 4, 5, 6]],
    "fractions": [[0.5], [1.0, 2.0, 4.0], [2.5, 3.5, 1.5, 9.0]],
    "texts": [[], ["a"], ["a\n", "b\n"], ["b", "a", "c"], ["/a/b", "/a/c"], ["one", "two", "one"]],
    "mapping": [{}, {"a": "1"}, {"x": "y", "k": "v w"}],
    "none": [None],
}  # fmt: skip
MISUSED = frozenset({"TypeError", "AttributeError", "KeyError"})
"""Errors that say that a function is not meant for such arguments."""


class _TooLong(BaseException):
    """A call took too long."""


def _ring(*_: object) -> None:
    raise _TooLong


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, str]:
    """Return how a call ends (`returns`, `raises` or `hangs`), and its value or error.

    The value includes the arguments as they are after the call.
    """
    given = copy.deepcopy(arguments)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        value = function(*given)
        if inspect.isgenerator(value):
            value = list(itertools.islice(value, 200))
        return "returns", repr((value, given))
    except _TooLong:
        return "hangs", ""
    except Exception as error:  # noqa: BLE001 - whatever the mutant raises
        return "raises", type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def loaded(text: str, name: str) -> Callable[..., Any] | None:
    """The function of a program; None if the program does not even start."""
    names: dict[str, Any] = {"__name__": "program"}
    try:
        exec(compile(text, "program", "exec"), names)
    except Exception:  # noqa: BLE001 - a mutant's default value may be wrong
        return None
    function: Callable[..., Any] = names[name]
    return function


def arities(function: Callable[..., Any]) -> list[int]:
    """Return the number of arguments that the function needs, and one more if it accepts more."""
    parameters = inspect.signature(function).parameters.values()
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    most = [each for each in parameters if each.kind in positional]
    needed = sum(each.default is each.empty for each in most)
    return [needed] if needed == len(most) else [needed, needed + 1]


def samples(function: Callable[..., Any], chance: random.Random) -> list[tuple[Any, ...]]:
    """Arguments on which the function returns, of kinds on which it mostly does."""
    kinds = [
        kind
        for arity in arities(function)
        for kind in itertools.product(POOLS, repeat=arity)
        if not {"whole", "fraction"} <= set(kind)  # 1 or 1.0 is no difference worth to tell
    ]
    chance.shuffle(kinds)
    found: list[tuple[Any, ...]] = []
    for kind in kinds[:MOST_KINDS]:
        tries = [tuple(chance.choice(POOLS[each]) for each in kind) for _ in range(TRIES)]
        found += _usual(function, tries)
    chance.shuffle(found)
    return [each for each in found if outcome(function, each) == outcome(function, each)]


def _usual(function: Callable[..., Any], tries: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the arguments on which the function returns, without repetition.

    The list is empty if the function is not meant for such arguments.
    """
    returned: dict[str, tuple[Any, ...]] = {}
    failures = 0
    for arguments in tries:
        how, what = outcome(function, arguments)
        if how == "returns":
            returned[repr(arguments)] = arguments
            continue
        failures += 1
        if what in MISUSED or 2 * failures > len(tries):
            return []
    return list(returned.values())[:MOST_WITNESSES]


def witness(
    name: str,
    original: Callable[..., Any],
    mutant: Callable[..., Any],
    calls: list[tuple[Any, ...]],
) -> str | None:
    """Return the first call on which the two functions differ."""
    for call in calls[: 20 * MOST_WITNESSES]:
        if outcome(original, call) != outcome(mutant, call):
            return f"{name}({', '.join(map(repr, call))})"
    return None


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    signal.signal(signal.SIGPROF, _ring)
    task = json.load(sys.stdin)
    name = task["function"]
    original = loaded(task["program"], name)
    found: list[str | None] = [None] * len(task["mutants"])
    if original is not None:
        calls = samples(original, random.Random(task["seed"]))
        for place, text in enumerate(task["mutants"]):
            mutant = loaded(text, name)
            if mutant is not None:
                found[place] = witness(name, original, mutant, calls)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
