"""Make wrong rewrites of real code: functions of Python's standard library with one change each.

A mutant counts only if a call shows that it differs from its original. A process under limits looks
for such calls with random and edge arguments (see `witnesses.py`). The same seed on the same Python
gives the same mutants.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from rewrites_parts.cases import Case
from rewrites_parts.library import Program, programs
from rewrites_parts.mutating import Mutant, all_mutants

WITNESSES = Path(__file__).with_name("witnesses.py")
SECONDS = 120
"""For one program; its process may use less of the processor."""
OF_ONE_FUNCTION = 8
"""Most mutants of a function in one round: so that large functions do not crowd out others."""
ROUNDS = 5


def mutants(count: int, seed: int) -> list[Case]:
    """Return `count` cases, or fewer if not as many mutants can be distinguished from the
    original."""
    chance = random.Random(seed)
    left = {program: _shuffled(program, chance) for program in programs()}
    cases: dict[str, Case] = {}
    for _ in range(ROUNDS):
        order = list(left)
        chance.shuffle(order)
        for program in order:
            batch, left[program] = left[program][:OF_ONE_FUNCTION], left[program][OF_ONE_FUNCTION:]
            for case in told_apart(program, batch, seed):
                cases.setdefault(case.id, case)
            if len(cases) >= count:
                return list(cases.values())[:count]
    return list(cases.values())


def _shuffled(program: Program, chance: random.Random) -> list[Mutant]:
    found = list(all_mutants(program))
    chance.shuffle(found)
    return found


def told_apart(program: Program, batch: Sequence[Mutant], seed: int) -> list[Case]:
    """Return a case for each mutant that a call distinguishes from the program.

    The list is empty for a program that takes too long.
    """
    if not batch:
        return []
    task = {
        "program": program.text,
        "function": program.function,
        "mutants": [mutant.text for mutant in batch],
        "seed": seed,
    }
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-W", "ignore", str(WITNESSES)],
            input=json.dumps(task),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            env={"PATH": os.defpath, "PYTHONHASHSEED": "0"},
            check=True,
        )
        calls: list[str | None] = json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError):
        return []
    pairs = zip(batch, calls, strict=True)
    return [_case(mutant, call) for mutant, call in pairs if call is not None]


def _case(mutant: Mutant, call: str) -> Case:
    program = mutant.program
    where = f"{program.module}-{program.function}-{mutant.line}-{mutant.operator}"
    return Case(
        id=f"mutant-{where}-{crc32(mutant.text.encode()):08x}",
        kind=mutant.operator,
        right=False,
        transformation="refactor",
        language="python",
        before=program.text,
        after=mutant.text,
        why=mutant.change,
        witness=(call,),
    )
