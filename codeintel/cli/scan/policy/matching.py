"""Find the findings of a base commit again, although lines, blocks and files have moved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from codeintel.cli.scan.policy.edits import Edits, are_comparable
from codeintel.cli.scan.policy.texts import Lines, Texts, last_line, renames, similarity
from codeintel.contracts.scans.records import ScanFinding

SAME_PLACE = 0.6
"""The likeness of the code around an edited or reformatted finding."""
SAME_BLOCK = 0.6
"""The likeness of the code around a finding that moved to another file."""
EDITED_BLOCK = 0.75
"""The same, if the finding itself was edited, too."""
MAX_PAIRS = 500_000
"""The pairs of findings that are compared. Findings left after them have no pair."""
Kind = tuple[str, str]
Likeness = Callable[[ScanFinding, ScanFinding], float]
Key = Callable[[ScanFinding], object]


def kind_of(each: ScanFinding) -> Kind:
    """Return the analyzer and the first ID of the rule."""
    return each.finding.engine, each.finding.lasting_id


class Matching:
    """Pairs each finding with at most one of the base, the surest pairs first.

    The steps:

    1. on the same unchanged line of a file, even a renamed one
    2. with the same lines, somewhere else in the file
    3. with the same lines in another file, if the code before or after them is similar
    4. with similar code around it in the file: edited, or formatted in another way
    5. with very similar code around it in another file, because the block was edited

    A finding that was fixed in its place has no pair, so that it hides no other one: the lines
    around it stay, or a similar line without a finding replaces it.

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
        self._budget = MAX_PAIRS
        self._now = set(now)
        self._taken = _taken(new)
        self._edits: dict[str, Edits | None] = {}
        former = self._former_paths(set(paths), self._now)
        self._later = {before: path for path, before in former.items()}
        files = [(former.get(path, path), found) for path, found in _by_path(new).items()]
        in_old = _by_path(old)
        for before, found in files:
            self._match_same_code(before, found, in_old.get(before, ()))
        self._match_blocks(self._same_block, SAME_BLOCK, self._shapes)
        for before, found in files:
            self._match(found, in_old.get(before, ()), self._similar, SAME_PLACE)
        self._match_blocks(self._edited_block, EDITED_BLOCK)

    def unmatched(self) -> list[ScanFinding]:
        """Return the findings of the base that are gone."""
        return [each for at, each in enumerate(self._old) if at not in self._used]

    def _former_paths(self, paths: set[str], now: set[str]) -> Mapping[str, str]:
        with_findings = {each.path for each in self._new}
        added = sorted(with_findings - paths)
        gone = sorted({each.path for each in self._old} - now)
        return renames(added, gone, self._new_texts, self._old_texts) if added and gone else {}

    def _match_same_code(
        self, former: str, found: Sequence[int], candidates: Sequence[int]
    ) -> None:
        """Match findings of one file by their lines."""
        if not candidates:
            return
        edits = self._edits_of(former)
        if edits is None:
            key = _fingerprint
            self._match(found, candidates, self._same_fingerprint, keys=(key, key))
            return
        same = edits.same
        keys = (lambda one: same.get(_start(one)), _start)
        self._match(found, candidates, lambda one, other: _on_line(one, other, same), keys=keys)
        self._match(found, candidates, self._same_shape, keys=self._shapes)

    def _edits_of(self, former: str) -> Edits | None:
        """Return the edits of a file of the base, or None if it is gone or cannot be read."""
        if former not in self._edits:
            path = self._later.get(former, former)
            new = self._new_texts.lines(path) if path in self._now else None
            old = self._old_texts.lines(former)
            is_known = new is not None and old is not None and are_comparable(new, old)
            self._edits[former] = Edits(new, old) if new and old and is_known else None
        return self._edits[former]

    @property
    def _shapes(self) -> tuple[Key, Key]:
        """Return the functions for the code of a new finding and of one of the base."""
        return _shape_in(self._new_texts), _shape_in(self._old_texts)

    def _match_blocks(
        self, likeness: Likeness, least: float, keys: tuple[Key, Key] | None = None
    ) -> None:
        """Match findings across files."""
        left = [at for at in range(len(self._new)) if at not in self.pairs]
        gone = [at for at in range(len(self._old)) if at not in self._used]
        if left and gone:
            self._match(left, gone, likeness, least, keys)

    def _match(
        self,
        found: Iterable[int],
        candidates: Iterable[int],
        likeness: Likeness,
        least: float = 1.0,
        keys: tuple[Key, Key] | None = None,
    ) -> None:
        """Pair findings of the same rule whose likeness suffices, the most alike first.

        :param keys: functions whose results are equal for a new and a former finding that can be a
            pair.
        """
        key_of, former_key_of = keys or (_no_key, _no_key)
        of_kind: dict[tuple[Kind, object], list[int]] = defaultdict(list)
        for at in candidates:
            if at not in self._used:
                each = self._old[at]
                of_kind[kind_of(each), former_key_of(each)].append(at)
        pairs = []
        for at in found:
            if at in self.pairs:
                continue
            one = self._new[at]
            others = of_kind.get((kind_of(one), key_of(one)), [])
            if len(others) > self._budget:
                continue
            self._budget -= len(others)
            for other in others:
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
        """Compare two findings of one file."""
        edits = self._edits_of(other.path)
        if edits is None or not self._is_same_code(one, other):
            return 0.0
        if edits.replaces(one.finding, other.finding):
            return 1.0
        return float(edits.is_cut(other.finding, self._taken_by(other)))

    def _similar(self, one: ScanFinding, other: ScanFinding) -> float:
        """Compare the code around two findings of one file."""
        new, old = self._new_texts.lines(one.path), self._old_texts.lines(other.path)
        edits = self._edits_of(other.path)
        if new is None or old is None or edits is None:
            return 0.0
        likeness = similarity(new.context(one.finding), old.context(other.finding))
        if likeness < SAME_PLACE:
            return 0.0
        taken = self._taken_by(other)
        if edits.replaces(one.finding, other.finding):
            is_pair = edits.is_edited_into(one.finding, other.finding, taken)
        else:
            is_pair = edits.is_moved(other.finding, taken)
        return likeness if is_pair else 0.0

    def _taken_by(self, other: ScanFinding) -> Collection[int]:
        """Return the lines of the new file that have findings."""
        return self._taken.get(self._later.get(other.path, other.path), ())

    def _is_same_code(self, one: ScanFinding, other: ScanFinding) -> bool:
        new, old = self._new_texts.lines(one.path), self._old_texts.lines(other.path)
        if new is None or old is None:
            return one.fingerprint == other.fingerprint
        return new.shape(one.finding) == old.shape(other.finding)

    def _same_block(self, one: ScanFinding, other: ScanFinding) -> float:
        """Compare the code on both sides, because a finding may be at the border of a block."""
        new, old = self._lines_of_files(one, other)
        if new is None or old is None or not self._is_same_code(one, other):
            return 0.0
        edits = self._edits_of(other.path)
        if edits is not None and not edits.is_cut(other.finding, self._taken_by(other)):
            return 0.0
        return max(
            similarity(new.before(one.finding), old.before(other.finding)),
            similarity(new.after(one.finding), old.after(other.finding)),
        )

    def _edited_block(self, one: ScanFinding, other: ScanFinding) -> float:
        """Compare all of the code around two findings."""
        new, old = self._lines_of_files(one, other)
        if new is None or old is None:
            return 0.0
        likeness = similarity(new.context(one.finding), old.context(other.finding))
        edits = self._edits_of(other.path)
        if likeness < EDITED_BLOCK or edits is None:
            return likeness
        return likeness if edits.is_moved(other.finding, self._taken_by(other)) else 0.0

    def _lines_of_files(
        self, one: ScanFinding, other: ScanFinding
    ) -> tuple[Lines | None, Lines | None]:
        """Return the lines of two different files. None if they are versions of one file."""
        if one.path == self._later.get(other.path, other.path):
            return None, None
        return self._new_texts.lines(one.path), self._old_texts.lines(other.path)


def _no_key(_one: ScanFinding) -> object:
    return None


def _fingerprint(one: ScanFinding) -> object:
    return one.fingerprint


def _start(one: ScanFinding) -> int:
    return one.finding.range.start_line


def _shape_in(texts: Texts) -> Key:
    def shape(one: ScanFinding) -> object:
        lines = texts.lines(one.path)
        return None if lines is None else lines.shape(one.finding)

    return shape


def _by_path(findings: Iterable[ScanFinding]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for at, each in enumerate(findings):
        found[each.path].append(at)
    return found


def _taken(findings: Iterable[ScanFinding]) -> dict[str, set[int]]:
    """Return the lines of findings by path."""
    found: dict[str, set[int]] = defaultdict(set)
    for each in findings:
        lines = range(each.finding.range.start_line, last_line(each.finding) + 1)
        found[each.path].update(lines)
    return found


def _on_line(one: ScanFinding, other: ScanFinding, lines: Mapping[int, int]) -> float:
    return float(lines.get(one.finding.range.start_line) == other.finding.range.start_line)


def _distance(one: ScanFinding, other: ScanFinding) -> tuple[int, int]:
    """Return how far two findings are apart: in lines, then in columns."""
    new, old = one.finding.range, other.finding.range
    return abs(new.start_line - old.start_line), abs(new.start_column - old.start_column)
