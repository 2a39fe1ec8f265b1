"""The process that computes ranks: `python -m codeintel.trust.network.child NODES EDGES SCORES`.

Standard input is a file of 64-bit numbers in the machine's byte order: the nodes' ids, ascending;
the edges, each a source's and a target's id; the ids of nodes with scores; their scores (floating
point). Standard output is a file that gets the values (floating point) and the positions of all
nodes, in their order, and then a JSON object:
:class:`codeintel.trust.network.ranking.RankingResult`.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from codeintel.base.confinement.jobs import confine_program

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_EDGES_AT_ONCE = 500_000
_STATUS = Path("/proc/self/status")


def main() -> None:
    """Read the input, compute the ranks, and write them."""
    confine_program()
    nodes, edges, scores = (int(text) for text in sys.argv[1:])
    work_out(sys.stdin.buffer, sys.stdout.buffer, nodes, edges, scores)


def work_out(given: BinaryIO, told: BinaryIO, nodes: int, edges: int, scores: int) -> None:
    """Compute as the module describes. The numbers are the counts of nodes, edges and scores.

    Edges and scores of unknown nodes are ignored.

    :raises ValueError: if the file is shorter.
    """
    import numpy as np

    from codeintel.trust.network.pagerank import DAMPING, pagerank, positions

    ids: NDArray[np.int64] = _read(given, nodes, np.int64)
    sources, targets = _edges(given, edges, ids)
    scored: NDArray[np.int64] = _read(given, scores, np.int64)
    values: NDArray[np.float64] = _read(given, scores, np.float64)
    base = np.zeros(nodes)
    places, is_known = _places(ids, scored)
    base[places[is_known]] = values[is_known]
    found = pagerank(sources, targets, base)
    told.write(found.values.tobytes())
    told.write(positions(found.values).tobytes())
    outcome = {
        "damping": DAMPING,
        "rounds": found.rounds,
        "residual": found.residual,
        "edges": len(sources),
        "scored": int(is_known.sum()),
        "peakBytes": _peak_bytes(),
    }
    told.write(json.dumps(outcome).encode())
    told.flush()


def _edges(
    given: BinaryIO, edges: int, ids: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return sources and targets as positions among the nodes, reading pieces to save memory."""
    import numpy as np

    sources, targets = np.empty(edges, dtype=np.int32), np.empty(edges, dtype=np.int32)
    filled = 0
    for start in range(0, edges, _EDGES_AT_ONCE):
        piece: NDArray[np.int64] = _read(given, 2 * min(_EDGES_AT_ONCE, edges - start), np.int64)
        (begins, begins_known), (ends, ends_known) = (_places(ids, piece[at::2]) for at in (0, 1))
        is_known = begins_known & ends_known
        count = int(is_known.sum())
        sources[filled : filled + count] = begins[is_known]
        targets[filled : filled + count] = ends[is_known]
        filled += count
    return sources[:filled], targets[:filled]


def _places(
    ids: NDArray[np.int64], wanted: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the positions of ids among ascending ones, and whether they are known."""
    import numpy as np

    if not len(ids):
        return np.zeros(len(wanted), dtype=np.int64), np.zeros(len(wanted), dtype=bool)
    places = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    return places, ids[places] == wanted


def _read(given: BinaryIO, count: int, kind: type) -> Any:
    import numpy as np

    content = given.read(count * 8)
    if len(content) < count * 8:
        raise ValueError("the file of nodes, edges and scores is too short")
    return np.frombuffer(content, dtype=kind)


def _peak_bytes() -> int:
    """Return the peak memory of this process in bytes, or 0 if the system does not report it.

    `getrusage` would include the parent's memory.
    """
    if not _STATUS.exists():
        return 0
    found = re.search(r"VmHWM:\s*(\d+) kB", _STATUS.read_text())
    return int(found[1]) * 1024 if found else 0


if __name__ == "__main__":
    main()
