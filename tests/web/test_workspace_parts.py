"""The parts of workspace pages: trees, parts of texts, hits, differences."""

from __future__ import annotations

import difflib
import random
import time
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given, strategies as st

from codeintel.contracts.workspaces.records import FileEntry
from codeintel.platform.workers.text_functions import TextTimeoutError
from codeintel.web.workspaces.views import DEEPEST, Folder, tree
from codeintel.workspaces import diff as changes_module
from codeintel.workspaces.diff import (
    ADDED,
    KEPT,
    LATER,
    ONLY_ENDS,
    REMOVED,
    TOO_COSTLY,
    TOO_MUCH,
    FileChange,
    Matcher,
    Pair,
    Steps,
    compared,
    difference,
    file_changes,
    whole,
)
from codeintel.workspaces.records import Changes
from codeintel.workspaces.search import (
    LINE_CHARACTERS,
    MOST_HITS,
    PART_LINES,
    Hit,
    SearchPart,
    hits,
    lines_of,
    part_of,
    search,
)

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "dd"]), max_size=30).map("\n".join)


def find(parts: Iterable[SearchPart], _size: int) -> Iterable[list[Hit]]:
    """Find hits, as a worker process does."""
    return hits(parts)


def compare(pairs: Iterable[Pair], _size: int) -> Iterable[FileChange]:
    """Compare pairs, as a worker process does."""
    return compared(pairs)


def entry(path: str, text: str = "") -> FileEntry:
    return FileEntry(path, f"of {text}", len(text.encode()))


def outline(folder: Folder) -> list[object]:
    inner: list[object] = [[each.name, outline(each)] for each in folder.folders]
    return [*inner, *(each.name for each in folder.entries)]


def test_a_tree_of_folders() -> None:
    paths = ("/b/x/y/1", "/b/x/y/2", "/a.txt", "/B.txt", "/c/1", "/c/d/1")
    found = tree([entry(path) for path in paths], "/c/d/1")
    assert outline(found) == [["b/x/y", ["1", "2"]], ["c", [["d", ["1"]], "1"]], "a.txt", "B.txt"]
    assert (found.files, found.folders[0].files, found.folders[1].path) == (6, 2, "/c")


def test_the_folders_of_the_chosen_file_are_open() -> None:
    paths = [f"/{folder}/{number}" for folder in ("a", "ab") for number in range(30)]
    found = tree([entry(path) for path in paths], "/a/1")
    assert [(each.name, each.is_open) for each in found.folders] == [("a", True), ("ab", False)]
    assert [each.path for each in found.folders[0].entries if each.is_chosen] == ["/a/1"]


def test_a_tree_ends_somewhere() -> None:
    deep = "/" + "/".join(f"d{number}" for number in range(400))
    files = [entry(f"{deep}/{name}") for name in ("one", "two")]
    files += [entry("/" + "d0/" * depth + "x") for depth in range(300)]
    found = tree(files, "")
    depth, level = 0, [found]
    while level:
        depth, level = depth + 1, [each for folder in level for each in folder.folders]
    assert depth <= DEEPEST + 1
    assert found.files == len(files)


def test_a_text_in_parts() -> None:
    text = "".join(f"{number}\n" for number in range(1, 12_001))
    part = part_of(text, 0)
    assert (part.previous, part.following, part.total) == (0, PART_LINES + 1, 12_000)
    numbers = []
    while part.following:
        numbers += [line.number for line in part.lines]
        part = part_of(text, part.following)
    numbers += [line.number for line in part.lines]
    assert numbers == list(range(1, 12_001))
    assert part_of(text, 5_000).lines[-1].text == "5000"
    assert part_of(text, 5_001).lines[0].text == "5001"
    assert part_of(text, 99_999).lines[-1].text == "12000"
    assert part_of(text, 5_001).previous == 1


def test_long_lines_are_cut_off() -> None:
    part = part_of("x" * 1_000_000 + "\nshort\n", 1)
    assert len(part.lines[0].text) == LINE_CHARACTERS
    assert part.lines[0].more == 1_000_000 - LINE_CHARACTERS
    assert part.lines[1].text == "short"
    assert part_of("y" * 2_000 * 400 + "\n", 1).is_whole
    many = part_of(("z" * 3_000 + "\n") * 340, 1)
    assert 0 < len(many.lines) < 340


@pytest.mark.parametrize(
    ("text", "lines", "ends"),
    [
        ("", [], ""),
        ("a", ["a"], ""),
        ("a\n\n", ["a", ""], ""),
        ("a\r\nb\r\n", ["a", "b"], "CRLF"),
        ("a\r\nb\n", ["a\r", "b"], ""),
        ("a\rb\u2028c\x0bd\n", ["a\rb\u2028c\x0bd"], ""),
    ],
)
def test_lines_end_where_editors_end_them(text: str, lines: list[str], ends: str) -> None:
    assert lines_of(text) == (lines, ends)


def test_hits_of_a_literal_text() -> None:
    texts = {"/a": "x = f(.*)\nX = F(.*)\n", "/b": "nothing\n", "/c": "é f(.*)" + "z" * 900}
    files = [entry(path, text) for path, text in texts.items()]
    contents = {f"of {text}": text.encode() for text in texts.values()}

    def read(_: object) -> dict[str, bytes]:
        return contents

    found = search(files, read, "f(.*)", find, is_exact=False)
    assert [(hit.path, hit.line, hit.found) for hit in found.hits] == [
        *(("/a", 1, "f(.*)"), ("/a", 2, "F(.*)")),
        ("/c", 1, "f(.*)"),
    ]
    assert (found.files, found.is_cut) == (2, False)
    assert found.hits[-1].after == "z" * 160 + "…"
    assert len(search(files, read, "f(.*)", find, is_exact=True).hits) == 2
    assert search(files, read, "f.", find, is_exact=False).hits == ()


def test_hits_come_to_an_end() -> None:
    files = [entry(f"/{number}", "many") for number in range(3)]
    content = b"many\n" * (MOST_HITS - 10)
    found = search(files, lambda _: {"of many": content}, "many", find, is_exact=True)
    assert (len(found.hits), found.is_cut, found.files) == (MOST_HITS, True, 2)


@given(TEXTS, TEXTS)
def test_a_difference_makes_one_text_of_the_other(old: str, new: str) -> None:
    found = difference(old, new)
    assert found is not None
    before, after = lines_of(old)[0], lines_of(new)[0]
    kept = {line.new: line.old for line in found.lines if line.kind == KEPT}
    assert all(before[was - 1] == after[now - 1] for now, was in kept.items())
    removed = {line.old for line in found.lines if line.kind == REMOVED}
    added = {line.new: line.text for line in found.lines if line.kind == ADDED}
    left = iter([line for number, line in enumerate(before, 1) if number not in removed])
    made = [added[n] if n in added else next(left) for n in range(1, len(after) + 1)]
    assert made == after
    assert list(left) == []
    assert (found.added, found.removed) == (len(added), len(removed))


def test_a_difference_reads_like_a_unified_diff() -> None:
    old = [f"line {number}" for number in range(60)]
    new = [*old[:10], "new", *old[10:30], "changed", *old[31:]]
    found = difference("\n".join(old), "\n".join(new))
    assert found is not None
    expected = list(difflib.unified_diff(old, new, lineterm=""))[2:]
    assert [f"{line.sign}{line.text}" for line in found.lines] == expected
    kinds = [kind for kind, _ in groupby(line.kind for line in found.lines)]
    assert kinds == ["place", "kept", "added", "kept", "place", "kept", "removed", "added", "kept"]


def test_a_difference_is_found_in_a_bounded_time() -> None:
    """Alternating lines are what takes a matcher of sequences longest."""
    numbers = random.Random(7)
    words = [f"word {number}" for number in range(150)]
    begun = time.process_time()
    for count in (500, 4_000, 20_000):
        one, other = ("\n".join(numbers.choices(words, k=count)) for _ in range(2))
        difference(one, other)
        lines = [(f"{at}", f"{at}!", f"same {at}") for at in range(count)]
        old, new = ("\n".join(f"{line[at]}\n{line[2]}" for line in lines) for at in (0, 1))
        found = difference(old, new)
    assert time.process_time() - begun < 60
    assert found is None
    assert difference("\n" * 900_000, "x\n" * 300_000) is None
    near = difference(old, old.replace("same 700", "other"))
    assert near is not None
    assert (near.added, near.removed) == (11, 11)


def test_texts_that_are_new_or_gone() -> None:
    made = whole("a\nb\nc\n", ADDED, 2)
    assert (made.added, made.removed, [line.text for line in made.lines]) == (3, 0, ["a", "b"])
    assert whole("a\nb\n", REMOVED, 9).removed == 2


def test_changes_of_files_within_a_page() -> None:
    texts = {
        "crlf": "a\r\nb\r\n",
        "lf": "a\nb\n",
        "long": "".join(f"{number}\n" for number in range(3_100)),
        "other": "".join(f"{number}!\n" for number in range(3_100)),
        "mixed": "".join(f"{number}\nsame {number}\n" for number in range(9_000)),
        "shuffled": "".join(f"{number}!\nsame {number}\n" for number in range(9_000)),
    }
    contents = {f"of {text}": text.encode() for text in texts.values()}
    pairs = {"/1": ("crlf", "lf"), "/3": ("long", "other"), "/4": ("long", "lf")}
    before = {path: entry(path, texts[old]) for path, (old, _) in pairs.items()}
    before["/5"] = entry("/5", texts["lf"])
    changes = Changes(
        since=1,
        revision=2,
        changed=(*(entry(path, texts[new]) for path, (_, new) in pairs.items()), entry("/0")),
        deleted=("/5",),
    )
    contents["of "] = b""
    found = file_changes(changes, before, lambda _: contents, compare)
    assert [(each.path, each.kind, each.told) for each in found] == [
        ("/0", "added", ""),
        ("/1", "changed", ONLY_ENDS),
        ("/3", "changed", "The first 3,000 lines of its changes; 3,201 more are not shown."),
        ("/4", "changed", LATER),
        ("/5", "deleted", LATER),
    ]
    assert [each.is_later for each in found] == [False] * 3 + [True] * 2
    hard = Changes(since=1, revision=2, changed=(entry("/9", texts["shuffled"]),), deleted=())
    before = {"/9": entry("/9", texts["mixed"])}
    assert [each.told for each in file_changes(hard, before, lambda _: contents, compare)] == [
        TOO_MUCH
    ]
    both = Changes(
        since=1, revision=2, changed=(entry("/0", "lf"), *hard.changed, entry("/a")), deleted=()
    )
    contents["of lf"] = b"lf"
    found = file_changes(both, before, lambda _: contents, compare)
    assert [each.told for each in found] == ["", LATER, LATER]


def test_a_comparison_that_is_ended_names_its_file() -> None:
    changes = Changes(
        since=1, revision=2, changed=tuple(entry(path, "x") for path in "abcd"), deleted=()
    )

    def ended(pairs: Iterable[Pair], _size: int) -> Iterator[FileChange]:
        yield from compared(pair for pair in pairs if pair.path == "a")
        raise TextTimeoutError

    before = {path: entry(path, "y") for path in "abcd"}
    found = file_changes(changes, before, lambda _: {"of x": b"x", "of y": b"y"}, ended)
    assert [(each.path, each.told) for each in found] == [
        *(("a", ""), ("b", TOO_COSTLY)),
        *(("c", LATER), ("d", LATER)),
    ]
    assert [each.is_later for each in found] == [False, False, True, True]


def region(lines: int) -> tuple[str, str]:
    """Return two mostly equal texts.

    A small region of a few lines repeats in each, in a different order.
    """
    alike = [f"line {number}" for number in range(60_000)]
    dear = [f"word {number % 7}" for number in range(lines)]
    other = [f"word {number * 3 % 7}" for number in range(lines)]
    one, two = ([*alike[:30_000], *words, *alike[30_000:]] for words in (dear, other))
    one[0], two[0], one[-1], two[-1] = "a", "b", "a", "b"
    return "\n".join(one), "\n".join(two)


@pytest.mark.parametrize("lines", [200, 600, 3_000])
def test_lines_in_a_small_region_are_counted_as_what_they_cost(
    monkeypatch: pytest.MonkeyPatch, lines: int
) -> None:
    """Check that the cost of these lines counts, although their average over the whole text
    would be small."""
    looks = 0

    class Counting(dict[str, list[int]]):
        def get(self, line: str, default: object = None) -> Any:
            nonlocal looks
            found = super().get(line, default)
            looks += 1 + len(found)
            return found

    class Counted(Matcher):
        def find_longest_match(self, *place: Any) -> Any:
            places = self.b2j  # type: ignore[attr-defined]
            self.b2j = Counting(places)
            try:
                return super().find_longest_match(*place)
            finally:
                self.b2j = places

    monkeypatch.setattr(changes_module, "Matcher", Counted)
    steps = Steps(500_000)
    found = difference(*region(lines), steps)
    assert looks <= 500_000
    assert looks > 0 or found is None
