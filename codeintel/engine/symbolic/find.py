"""Finding facts in a file."""

from __future__ import annotations

import time
from itertools import islice
from typing import NamedTuple

from codeintel.engine.dataflow.tree import Tree
from codeintel.engine.symbolic.base import MAX_SECONDS
from codeintel.engine.symbolic.early import Early, EarlyEnds
from codeintel.engine.symbolic.endless import calls_itself, unending_loops
from codeintel.engine.symbolic.facts import Fact, Found
from codeintel.engine.symbolic.machine import MAX_WORK, Machine
from codeintel.engine.symbolic.read_file import read_file


class Executed(NamedTuple):
    """What was found, in order of place, and a sentence for each reason for which some of the code
    was not executed to its end."""

    found: list[Found]
    early: tuple[str, ...]


def execute(tree: Tree, language: str) -> Executed:
    """What happens on the ways through the functions of a file in C or C++.

    It ends after :data:`MAX_SECONDS`, whatever the code, with what was found by then. Nothing is
    found in code that is nested too deeply; no code makes it raise.

    :param language: `c` or `cpp`.
    """
    deadline = time.thread_time() + MAX_SECONDS
    early = EarlyEnds()
    source = read_file(tree, language, early)
    if source is None:
        return Executed([], early.sentences())
    machine = Machine(source, deadline)
    machine.early = early
    for done, function in enumerate(source.functions.values()):
        if machine.done >= MAX_WORK or time.thread_time() > deadline:
            for other in islice(source.functions.values(), done, None):
                early.add(Early.NOT_BEGUN, other.name)
            break
        for place in unending_loops(function, machine.types):
            machine.report(Fact.LOOP_UNENDING, place)
        itself = calls_itself(function, machine.types)
        if itself is not None:
            machine.report(Fact.RECURSION_UNENDING, itself)
        try:
            machine.run(function)
        except RecursionError:  # what is nested too deeply is not executed to its end
            early.add(Early.DEPTH, function.name)
    found = sorted(machine.found.values(), key=lambda each: (each.place, each.fact))
    return Executed(found, early.sentences())
