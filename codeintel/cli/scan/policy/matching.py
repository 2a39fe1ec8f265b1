"""Find the findings of a base commit again, although lines, blocks and files have moved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from codeintel.cli.scan.policy.texts import Texts, aligned, renames, similarity
from codeintel.contracts.scans.records import ScanFinding

SAME_PLACE = 0.6
"""The likeness of the code around an edited or reformatted finding."""
SAME_BLOCK = 0.6
"""The likeness of the code around a finding that moved to another file."""
EDITED_BLOCK = 0.75
"""The same, if the finding itself was edited, too."""
Kind = tuple[str, str]
Likeness = Callable[[ScanFinding, ScanFinding], float]


def kind_of(each: ScanFinding) -> Kind:
    """Return the analyzer and the first ID of the rule."""
    return each.finding.engine, each.finding.lasting_id


class Matching:
    """Pairs each finding with at most one of the base, the surest pairs first.

    In the same file or a renamed one, these are pairs:

    1. on the same unchanged line
    2. with the same lines, somewhere else in the file
    3. with similar code around it: edited, or formatted in another way

    In another file, the lines have to be the same, and the code before or after them similar. Or
    all of this code is very similar, because the block was edited.

    :param paths: all paths of the base, whether they have findings or not.
    :param now: the paths that were scanned.
    """

    def __init__(
        self,
        new: Sequence[ScanFinding],
        old: Sequence[ScanFinding],
        new_texts: Texts,
        old_texts: Texts,
        *,
        paths: Iterable[str],
        now: Iterable[str],
    ) -> None:
        self.pairs: dict[int, int] = {}
        """The positions of the base's findings, by those of the new ones."""
        self._new, self._old = new, old
        self._new_texts, self._old_texts = new_texts, old_texts
        self._used: set[int] = set()
        former = self._former_paths(set(paths), set(now))
        in_old = _by_path(old)
        for path, found in _by_path(new).items():
            self._match_files(path, former.get(path, path), found, in_old)
        self._match_blocks()

    def unmatched(self) -> list[ScanFinding]:
        """Return the findings of the base that are gone."""
        return [each for at, each in enumerate(self._old) if at not in self._used]

    def _former_paths(self, paths: set[str], now: set[str]) -> Mapping[str, str]:
        with_findings = {each.path for each in self._new}
        added = sorted(with_findings - paths)
        gone = sorted({each.path for each in self._old} - now)
        return renames(added, gone, self._new_texts, self._old_texts) if added and gone else {}

    def _match_files(
        self, path: str, former: str, found: Sequence[int], in_old: Mapping[str, Sequence[int]]
    ) -> None:
        candidates = in_old.get(former, ())
        if not candidates:
            return
        new, old = self._new_texts.lines(path), self._old_texts.lines(former)
        if new is None or old is None:
            self._match(found, candidates, self._same_fingerprint)
            return
        lines = aligned(new, old)
        self._match(found, candidates, lambda one, other: _on_line(one, other, lines))
        self._match(found, candidates, self._same_shape)
        self._match(found, candidates, self._similar, SAME_PLACE)

    def _match_blocks(self) -> None:
        """Match findings across files."""
        left = [at for at in range(len(self._new)) if at not in self.pairs]
        gone = [at for at in range(len(self._old)) if at not in self._used]
        if left and gone:
            self._match(left, gone, self._same_block, SAME_BLOCK)

    def _match(
        self,
        found: Iterable[int],
        candidates: Iterable[int],
        likeness: Likeness,
        least: float = 1.0,
    ) -> None:
        """Pair findings of the same rule whose likeness suffices, the most alike first."""
        of_kind: dict[Kind, list[int]] = defaultdict(list)
        for at in candidates:
            if at not in self._used:
                of_kind[kind_of(self._old[at])].append(at)
        pairs = []
        for at in found:
            if at in self.pairs:
                continue
            one = self._new[at]
            for other in of_kind.get(kind_of(one), ()):
                value = likeness(one, self._old[other])
                if value >= least:
                    # Several values can reach one line, each with its fingerprint.
                    differs = one.fingerprint != self._old[other].fingerprint
                    pairs.append((-value, differs, _distance(one, self._old[other]), at, other))
        for *_, at, other in sorted(pairs):
            if at not in self.pairs and other not in self._used:
                self.pairs[at] = other
                self._used.add(other)

    def _same_fingerprint(self, one: ScanFinding, other: ScanFinding) -> float:
        return float(one.fingerprint == other.fingerprint)

    def _same_shape(self, one: ScanFinding, other: ScanFinding) -> float:
        new, old = self._new_texts.lines(one.path), self._old_texts.lines(other.path)
        if new is None or old is None:
            return self._same_fingerprint(one, other)
        return float(new.shape(one.finding) == old.shape(other.finding))

    def _similar(self, one: ScanFinding, other: ScanFinding) -> float:
        new, old = self._new_texts.lines(one.path), self._old_texts.lines(other.path)
        if new is None or old is None:
            return 0.0
        return similarity(new.context(one.finding), old.context(other.finding))

    def _same_block(self, one: ScanFinding, other: ScanFinding) -> float:
        """Compare the code on both sides, because a finding may be at the border of a block."""
        new, old = self._new_texts.lines(one.path), self._old_texts.lines(other.path)
        if new is None or old is None:
            return 0.0
        if not self._same_shape(one, other):
            likeness = similarity(new.context(one.finding), old.context(other.finding))
            return likeness if likeness >= EDITED_BLOCK else 0.0
        return max(
            similarity(new.before(one.finding), old.before(other.finding)),
            similarity(new.after(one.finding), old.after(other.finding)),
        )


def _by_path(findings: Iterable[ScanFinding]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for at, each in enumerate(findings):
        found[each.path].append(at)
    return found


def _on_line(one: ScanFinding, other: ScanFinding, lines: Mapping[int, int]) -> float:
    return float(lines.get(one.finding.range.start_line) == other.finding.range.start_line)


def _distance(one: ScanFinding, other: ScanFinding) -> tuple[int, int]:
    """Return how far two findings are apart: in lines, then in columns."""
    new, old = one.finding.range, other.finding.range
    return abs(new.start_line - old.start_line), abs(new.start_column - old.start_column)
