"""Finding facts in a file."""

from __future__ import annotations

import time
from typing import NamedTuple

from codeintel_plugins.flow.tree import Tree
from codeintel_plugins.symbolic.base import MAX_SECONDS
from codeintel_plugins.symbolic.endless import calls_itself, unending_loops
from codeintel_plugins.symbolic.facts import Fact, Found
from codeintel_plugins.symbolic.machine import MAX_WORK, Machine
from codeintel_plugins.symbolic.read_file import read_file


class Executed(NamedTuple):
    """What was found, in order of place, and whether some of the code was not executed to its end:
    it took too long, has too many ways through it, or is nested too deeply."""

    found: list[Found]
    cut_short: bool


def execute(tree: Tree, language: str) -> Executed:
    """What happens on the ways through the functions of a file in C or C++.

    It ends after :data:`MAX_SECONDS`, whatever the code, with what was found by then. Nothing is
    found in code that is nested too deeply; no code makes it raise.

    :param language: `c` or `cpp`.
    """
    deadline = time.thread_time() + MAX_SECONDS
    source = read_file(tree, language)
    if source is None:
        return Executed([], cut_short=True)
    machine = Machine(source, deadline)
    cut_short = not source.complete
    for function in source.functions.values():
        if machine.done >= MAX_WORK or time.thread_time() > deadline:
            cut_short = True
            break
        for place in unending_loops(function, machine.types):
            machine.report(Fact.LOOP_UNENDING, place)
        itself = calls_itself(function, machine.types)
        if itself is not None:
            machine.report(Fact.RECURSION_UNENDING, itself)
        try:
            machine.run(function)
        except RecursionError:  # what is nested too deeply is not executed to its end
            cut_short = True
    found = sorted(machine.found.values(), key=lambda each: (each.place, each.fact))
    return Executed(found, cut_short or machine.cut_short)
