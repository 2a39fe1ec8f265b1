"""The states that wait at a node of a function's graph to be taken further."""

from __future__ import annotations

from codeintel.engine.symbolic.state import State

MAX_STATES = 32
MAX_EXACT = 12


class Waiting:
    """The states that wait at one node.

    :param joins: whether ways come together there, so that states may be the same.
    """

    def __init__(self, joins: bool) -> None:
        self._joins = joins
        self._states: dict[object, list[State]] = {}
        self._count = 0
        self._joined = False

    def add(self, state: State) -> None:
        """A state comes. Of many those that differ only in conditions become one."""
        if not self._joins:
            self._states.setdefault(None, []).append(state)
            return
        same = self._states.setdefault(state.key(), [])
        if same and self._joined:
            same[0].join(state)
            return
        if any(each.says_the_same(state) for each in same):
            return
        same.append(state)
        self._count += 1
        if self._count > MAX_EXACT and not self._joined:
            self._join()

    def _join(self) -> None:
        self._joined = True
        for same in self._states.values():
            for each in same[1:]:
                same[0].join(each)
            del same[1:]

    @property
    def drops(self) -> bool:
        """Whether more states wait than are taken further."""
        return sum(map(len, self._states.values())) > MAX_STATES

    def states(self) -> list[State]:
        """Those that are taken further: of very many only the first."""
        return [state for same in self._states.values() for state in same][:MAX_STATES]
