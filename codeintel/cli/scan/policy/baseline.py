"""The baseline: a file with findings that are known, one in each line."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.base.wording import counted, printable
from codeintel.cli.scan.policy.regular_files import read_regular
from codeintel.cli.scan.policy.settings import ProjectError
from codeintel.cli.scan.policy.texts import Texts
from codeintel.cli.scan.report import JudgedFinding, Source, State
from codeintel.contracts import Category
from codeintel.contracts.scans.records import ScanFinding

MAX_BYTES = 64 * 1024 * 1024
_ID = 20
_SHAPE = 12
_MAX_NAMED = 5
_MOST_PLACES = 100
"""Code that is in more files does not tell to which one a file was renamed."""
Exists = Callable[[str], bool]


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A known finding.

    `id` is the start of its fingerprint. `shape` is a digest of its code without spaces and line
    breaks, by which it is found again after formatting; it is empty for secrets, which a digest
    would reveal to anyone who guesses. After the day `until`, the finding counts again.
    """

    path: str
    rule: str
    id: Annotated[str, Meta(pattern=f"^[0-9a-f]{{{_ID}}}$")]
    shape: Annotated[str, Meta(pattern=f"^([0-9a-f]{{{_SHAPE}}})?$")] = ""
    added: date | UnsetType = UNSET
    reason: str = ""
    owner: str = ""
    until: date | UnsetType = UNSET

    @property
    def key(self) -> tuple[str, str, str]:
        """The sort key, which is unique."""
        return self.path, self.rule, self.id


class Terms(NamedTuple):
    """The day, reason, owner and expiry of new entries in a baseline."""

    added: date
    reason: str = ""
    owner: str = ""
    until: date | UnsetType = UNSET


class Update(NamedTuple):
    """The new text of a baseline, with the numbers of entries."""

    text: str
    kept: int
    added: int
    removed: int


def read_baseline(path: Path) -> list[Entry]:
    """Return the entries of a file.

    Entries that occur several times, such as after a merge, count once.

    :raises ProjectError: if the file is missing or a line is invalid.
    """
    try:
        data = read_regular(path, MAX_BYTES)
    except OSError as error:
        advice = (
            " Write it with `codeintel baseline`." if isinstance(error, FileNotFoundError) else ""
        )
        raise ProjectError(f"Cannot read {path}: {error.strerror}.{advice}") from None
    found: dict[tuple[str, str, str], Entry] = {}
    decoder = msgspec.json.Decoder(Entry)
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            told = printable(str(error))
            raise ProjectError(f"{path.name}:{number}: {told}. Is a merge unfinished?") from None
        found[entry.key] = entry
    return list(found.values())


class Baseline:
    """The entries of a baseline, as known findings.

    :param source: returns the texts of the scanned files.
    :param scanned: the paths of the files that were analyzed completely.
    :param exists: returns whether there is a file at a path, whether it was scanned or not.
    """

    def __init__(
        self,
        name: str,
        entries: Sequence[Entry],
        source: Source,
        scanned: Iterable[str],
        today: date,
        exists: Exists,
    ) -> None:
        self.name = name
        self._entries = entries
        self._texts = Texts(source)
        self._scanned = frozenset(scanned)
        self._today = today
        self._exists = exists
        self._matched: set[int] = set()
        self._gone: Sequence[int] = ()

    def reasons(self, findings: Sequence[ScanFinding]) -> Mapping[int, str]:
        """Return the findings that have an entry, with the reason of the entry."""
        found = self.match(findings)
        return {
            at: self._entries[entry].reason
            for at, entry in found.items()
            if not _is_over(self._entries[entry], self._today)
        }

    def match(self, findings: Sequence[ScanFinding]) -> dict[int, int]:
        """Return the positions of entries by those of their findings.

        An entry is used once. Entries of a file that no longer exists match in the file to which it
        seems to be renamed. Files that exist and were not scanned are not gone.
        """
        found: dict[int, int] = {}
        present = {path: self._is_present(path) for path in {each.path for each in self._entries}}
        gone = [at for at, each in enumerate(self._entries) if not present[each.path]]
        here = [at for at, each in enumerate(self._entries) if present[each.path]]
        self._matched = set()
        self._pair(found, findings, here, lambda each: (each.path, each.rule, each.id), _full)
        self._pair(found, findings, here, _by_shape, self._shape_here)
        self._gone = gone
        to = self._renamed([each for at, each in enumerate(findings) if at not in found])
        moved = [at for at in gone if self._entries[at].path in to]
        self._pair(found, findings, moved, lambda each: (to[each.path], each.rule, each.id), _full)
        self._pair(
            found,
            findings,
            moved,
            lambda each: (to[each.path], each.rule, each.shape),
            self._shape_here,
        )
        return found

    def _renamed(self, findings: Iterable[ScanFinding]) -> dict[str, str]:
        """Return the new paths of files that no longer exist.

        Most entries of such a file match in the new one. A single entry can match by chance, so
        that its file must have kept its name, in another folder.

        :param findings: those without an entry.
        """
        entries: dict[str, list[Entry]] = defaultdict(list)
        for at in self._gone:
            entries[self._entries[at].path].append(self._entries[at])
        if not entries:
            return {}
        places: dict[tuple[str, str], set[str]] = defaultdict(set)
        for each in findings:
            for key in (_full(each)[1:], self._shape_here(each)[1:]):
                places[key].add(each.path)
        found: dict[str, str] = {}
        taken: set[str] = set()
        for path in sorted(entries):
            new = _best_place(path, entries[path], places, taken)
            if new is not None:
                found[path] = new
                taken.add(new)
        return found

    def _is_present(self, path: str) -> bool:
        return path in self._scanned or self._exists(path)

    def fixed(self, counts: Callable[[ScanFinding], bool]) -> int:  # noqa: ARG002 - see `Known`
        """Return the number of entries in scanned files whose finding is gone."""
        return sum(
            at not in self._matched and each.path in self._scanned
            for at, each in enumerate(self._entries)
        )

    def notes(self) -> Iterable[str]:
        """Return a sentence about the entries that expired, and one about unused ones."""
        over = [each for each in self._entries if _is_over(each, self._today)]
        if over:
            named = ", ".join(f"{each.rule} in {each.path}" for each in over[:_MAX_NAMED])
            more = f" and {len(over) - _MAX_NAMED:,} more" if len(over) > _MAX_NAMED else ""
            yield printable(f"{self.name}: {counted(len(over), 'entry')} expired: {named}{more}.")
        unused = self.fixed(lambda _each: True)
        unused += sum(at not in self._matched for at in self._gone)
        if unused:
            told = "1 entry matches" if unused == 1 else f"{unused:,} entries match"
            yield f"{self.name}: {told} no finding. Run `codeintel baseline` to remove them."

    def _pair(
        self,
        found: dict[int, int],
        findings: Sequence[ScanFinding],
        entries: Iterable[int],
        key: Callable[[Entry], tuple[str, str, str]],
        wanted: Callable[[ScanFinding], tuple[str, str, str]],
    ) -> None:
        of_key: dict[tuple[str, str, str], list[int]] = defaultdict(list)
        for at in entries:
            if at not in self._matched and key(self._entries[at])[2]:
                of_key[key(self._entries[at])].append(at)
        if not of_key:
            return
        for at, each in enumerate(findings):
            if at not in found and (left := of_key.get(wanted(each))):
                found[at] = left.pop(0)
                self._matched.add(found[at])

    def _shape_here(self, each: ScanFinding) -> tuple[str, str, str]:
        return each.path, each.finding.lasting_id, shape_of(each, self._texts)


def update_baseline(
    previous: Sequence[Entry],
    findings: Iterable[JudgedFinding],
    source: Source,
    scanned: Iterable[str],
    terms: Terms,
    exists: Exists,
) -> Update:
    """Return a baseline with all findings that count. Entries of known findings are kept.

    :param previous: the entries so far. Those of existing files that were not scanned stay.
    :param findings: the findings of a scan. Suppressed ones get no entry.
    :param scanned: the paths of the files that were analyzed completely.
    :param exists: returns whether there is a file at a path.
    """
    counting = [each.found for each in findings if each.state is not State.SUPPRESSED]
    paths = frozenset(scanned)
    matched = Baseline("", previous, source, paths, terms.added, exists).match(counting)
    texts = Texts(source)
    used = set(matched.values())
    others = [
        each
        for at, each in enumerate(previous)
        if at not in used and each.path not in paths and exists(each.path)
    ]
    entries = {each.key: each for each in others}
    kept = len(others)
    for at, each in enumerate(counting):
        old = previous[matched[at]] if at in matched else None
        if old is not None and _is_over(old, terms.added):
            old = None
        kept += old is not None
        entry = Entry(
            path=each.path,
            rule=each.finding.lasting_id,
            id=each.fingerprint[:_ID],
            shape=shape_of(each, texts),
            added=terms.added if old is None else old.added,
            reason=terms.reason if old is None else old.reason,
            owner=terms.owner if old is None else old.owner,
            until=terms.until if old is None else old.until,
        )
        entries[entry.key] = entry
    encode = msgspec.json.Encoder().encode
    lines = [encode(entries[key]).decode() for key in sorted(entries)]
    text = "".join(f"{line}\n" for line in lines)
    return Update(text, kept, len(entries) - kept, len(previous) - kept)


def shape_of(each: ScanFinding, texts: Texts) -> str:
    """Return the digest of a finding's code without spaces. Empty for secrets."""
    if each.finding.category is Category.SECRETS or each.finding.cwe == "CWE-798":
        return ""
    lines = texts.lines(each.path)
    if lines is None:
        return ""
    text = lines.shape(each.finding).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:_SHAPE]


def _is_over(entry: Entry, today: date) -> bool:
    return entry.until is not UNSET and entry.until < today


def _full(each: ScanFinding) -> tuple[str, str, str]:
    return each.path, each.finding.lasting_id, each.fingerprint[:_ID]


def _best_place(
    path: str,
    entries: Sequence[Entry],
    places: Mapping[tuple[str, str], set[str]],
    taken: Collection[str],
) -> str | None:
    """Return the file in which most of the entries match, or None.

    :param places: the files that have a rule with an ID or a shape.
    :param taken: the new paths of other files.
    """
    name = path.rpartition("/")[2]
    matching: Counter[str] = Counter()
    for each in entries:
        found = places.get((each.rule, each.id), set())
        if each.shape:
            found = found | places.get((each.rule, each.shape), set())
        if len(found) <= _MOST_PLACES:
            matching.update(found)
    fitting = [
        (number, new.rpartition("/")[2] == name, new)
        for new, number in matching.items()
        if new not in taken and number * 2 > len(entries)
    ]
    best = max(fitting, default=None)
    return None if best is None or (len(entries) == 1 and not best[1]) else best[2]


def _by_shape(entry: Entry) -> tuple[str, str, str]:
    return entry.path, entry.rule, entry.shape
