"""Finding facts in a file."""

from __future__ import annotations

import time
from contextlib import suppress

from codeintel_plugins.flow.tree import Tree
from codeintel_plugins.symbolic.base import MAX_SECONDS
from codeintel_plugins.symbolic.endless import calls_itself, unending_loops
from codeintel_plugins.symbolic.facts import Fact, Found
from codeintel_plugins.symbolic.machine import MAX_WORK, Machine
from codeintel_plugins.symbolic.read_file import read_file


def find_facts(tree: Tree, language: str) -> list[Found]:
    """What happens on the ways through the functions of a file in C or C++, in order of place.

    It ends after :data:`MAX_SECONDS`, whatever the code, with what was found by then. Nothing is
    found in code that is nested too deeply; no code makes it raise.

    :param language: `c` or `cpp`.
    """
    deadline = time.monotonic() + MAX_SECONDS
    source = read_file(tree, language)
    if source is None:
        return []
    machine = Machine(source, deadline)
    for function in source.functions.values():
        for place in unending_loops(function, machine.types):
            machine.report(Fact.LOOP_UNENDING, place)
        itself = calls_itself(function, machine.types)
        if itself is not None:
            machine.report(Fact.RECURSION_UNENDING, itself)
        if machine.done >= MAX_WORK or time.monotonic() > deadline:
            break
        with suppress(RecursionError):  # what is nested too deeply is not executed to its end
            machine.run(function)
    return sorted(machine.found.values(), key=lambda found: (found.place, found.fact))
