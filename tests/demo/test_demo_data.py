"""The bundle of the demo: a program in two revisions, and evidence with origin and day."""

from __future__ import annotations

from datetime import date

from codeintel.contracts import Ecosystem
from codeintel.contracts.languages import language_of_path
from codeintel.contracts.workspaces.records import FileEntry
from codeintel.operations.demo import bundle
from codeintel.trust.targets import parse_key
from codeintel.workspaces.checks import blob_of


def test_the_program_has_several_languages_and_a_second_revision() -> None:
    first, second = bundle.revisions()
    languages = {language_of_path(path) for path in first}
    assert {"python", "javascript", "go", "c"} <= languages
    assert 12 <= len(first) <= 20
    assert first.keys() <= second.keys()
    assert second != first


def test_the_analyzed_files_are_of_their_revisions() -> None:
    first, second = bundle.revisions()
    assert set(bundle.ANALYZED) <= first.keys()
    assert all(second[path] != first[path] for path in bundle.FIXED)


def entries(files: dict[str, str]) -> list[FileEntry]:
    return [FileEntry(path, *blob_of(text)) for path, text in files.items()]


def test_only_unchanged_revisions_are_recognized() -> None:
    for files in bundle.revisions():
        assert bundle.is_bundled(entries(files))
        assert not bundle.is_bundled(entries({**files, "/api/app.py": "import os\n"}))
        assert not bundle.is_bundled(entries({**files, "/more.py": "import os\n"}))
        assert not bundle.is_bundled(entries({"/api/app.py": files["/api/app.py"]}))


def test_each_package_has_facts_with_their_origin_and_day() -> None:
    packages = bundle.recorded_packages()
    assert len({each.target.key for each in packages}) == 50
    for each in packages:
        assert parse_key(each.target.key) == each.target, "not the canonical spelling"
        assert each.facts and each.source and each.url.startswith("https://")
        assert date(2020, 1, 1) < each.day


def test_histories_are_in_order_and_end_with_the_recorded_count() -> None:
    packages = [each for each in bundle.recorded_packages() if each.stars]
    assert packages
    for each in packages:
        assert each.ecosystem is Ecosystem.GITHUB
        days = [day for day, _ in each.stars]
        assert days == sorted(set(days))
        assert each.stars[-1] == (each.day, each.facts["stars"])


def test_no_release_is_later_than_the_day_of_its_record() -> None:
    for each in bundle.recorded_packages():
        for release in each.facts.get("releases", ()):
            assert date.fromisoformat(release["at"][:10]) <= each.day
