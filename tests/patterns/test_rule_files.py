"""A rule's file that is wrong is refused with its name, before any code is analyzed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from codeintel_plugins.patterns import PatternAnalyzer, catalogue
from codeintel_plugins.patterns.building import check_rules
from codeintel_plugins.patterns.rule import LANGUAGES, PatternRule
from codeintel_plugins.toolkit.messages import MAX_MESSAGE

from codeintel.contracts import AnalyzerRequest, Model, Reported
from codeintel.contracts.weaknesses import weakness_name
from codeintel.engine.data_files import DataFileError
from codeintel.engine.dataflow.table import sink_classes

RULE = next(rule for rule in catalogue.shipped_rules() if rule.languages == ("python",))


def with_parts(**parts: Any) -> PatternRule:
    parts = {"match": {"pattern": "f($A)"}, "constraints": {}, "utils": {}} | parts
    return msgspec.structs.replace(RULE, **parts)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "match: {has: {kind: call}, any: [], has: {kind: name}}",
            "the key 'has' is defined twice",
        ),
        ("id: some-rule", "Object missing required field"),
        (None, "its ID must be the file name"),
    ],
)
def test_a_file_that_is_no_rule_is_refused_by_its_name(
    text: str | None, message: str, tmp_path: Path
) -> None:
    shipped = next(path for path in sorted(catalogue.FOLDER.rglob("*.yml")))
    (tmp_path / "some-rule.yml").write_text(text or shipped.read_text())
    with pytest.raises(DataFileError, match=rf"some-rule\.yml: .*{message}"):
        catalogue.load_rules(tmp_path)


def test_an_id_that_two_files_have_is_refused(tmp_path: Path) -> None:
    shipped = next(path for path in sorted(catalogue.FOLDER.rglob("*.yml")))
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / shipped.name).write_text(shipped.read_text())
    with pytest.raises(DataFileError, match=f"the ID {shipped.stem} is taken"):
        catalogue.load_rules(tmp_path)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"match": {"kind": "no_such_kind"}}, "match, for python: .*`no_such_kind` is invalid"),
        ({"match": {"regex": "(?!a)"}}, "match, for python: .*look-around"),
        ({"match": {"patterns": "f()"}}, "match, for python: unknown field `patterns`"),
        ({"match": {"matches": "missing"}}, "match, for python: .*`missing` is not defined"),
        ({"constraints": {"A": {"regex": "(("}}}, "constraints.A, for python: .*unclosed group"),
        ({"constraints": {"B": {"regex": "b"}}}, "constraints.B, for python: .*`B`"),
        ({"utils": {"one": {"kind": "call"}, "two": {"kind": "none_such"}}},
         "utils.two, for python: .*`none_such` is invalid"),
    ],
)  # fmt: skip
def test_what_ast_grep_cannot_read_is_refused(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(DataFileError, match=rf"{RULE.id}\.yml: {message}"):
        check_rules([with_parts(**parts)])


def test_utils_may_use_each_other() -> None:
    utils = {"one": {"kind": "call"}, "two": {"all": [{"matches": "one"}]}}
    check_rules([with_parts(match={"matches": "two"}, utils=utils)])


def test_the_rules_that_ship_can_be_read() -> None:
    check_rules(catalogue.shipped_rules())


def test_edited_rules_are_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "COMPILED", tmp_path / "pages" / "rules.msgpack")
    catalogue.refresh()
    first = catalogue.COMPILED.stat()
    catalogue.refresh()
    assert catalogue.COMPILED.stat().st_mtime_ns == first.st_mtime_ns
    assert catalogue._read_compiled() is not None
    monkeypatch.setattr(catalogue, "version", lambda _name: "another version of ast-grep")
    assert catalogue._read_compiled() is None
    catalogue.refresh()
    assert catalogue._read_compiled() is not None
    assert [path.name for path in catalogue.COMPILED.parent.iterdir()] == ["rules.msgpack"]


def test_what_could_not_be_written_whole_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "COMPILED", tmp_path / "rules.msgpack")

    def full(_path: Path, _target: Path) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(Path, "replace", full)
    catalogue.refresh()
    assert list(tmp_path.iterdir()) == []


def test_a_package_that_cannot_be_written_to_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(catalogue, "COMPILED", tmp_path / "file" / "rules.msgpack")
    catalogue.refresh()
    assert catalogue._read_compiled() is None


def test_a_message_names_the_rule_and_the_call() -> None:
    code = "#include <string.h>\nvoid f(char *x) {\n  char b[8];\n  strcpy(b, x);\n}\n"
    request = AnalyzerRequest(code, "c", Model.FLASH)
    (found,) = (
        each.finding for each in PatternAnalyzer().analyze(request) if isinstance(each, Reported)
    )
    rule = next(each for each in catalogue.shipped_rules() if each.id == found.rule_id)
    assert found.message == f"{rule.title} in `strcpy()`: {rule.summary}"


def test_a_message_about_the_content_of_a_file_does_not_blame_its_path() -> None:
    code = "import pickle\n\n\ndef load(path):\n    return pickle.loads(open(path, 'rb').read())\n"
    request = AnalyzerRequest(code, "python", Model.FLASH)
    messages = [
        each.finding.message
        for each in PatternAnalyzer().analyze(request)
        if isinstance(each, Reported) and each.finding.rule_id == "python-deserialization"
    ]
    rule = next(each for each in catalogue.shipped_rules() if each.id == "python-deserialization")
    assert messages == [f"{rule.title} in `pickle.loads()`: {rule.summary}"]
    assert "content of a file" in rule.summary


def test_messages_are_told_whole() -> None:
    longest = max(catalogue.shipped_rules(), key=lambda rule: len(rule.title) + len(rule.summary))
    assert len(f"{longest.title}: {longest.summary}") <= MAX_MESSAGE, longest.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_tell_the_rules_of_a_language_apart(language: str) -> None:
    rules = catalogue.for_language(catalogue.shipped_rules(), language)
    titles = Counter(rule.title for rule in rules)
    assert [title for title, number in titles.items() if number > 1] == []


def test_every_weakness_class_of_a_rule_has_a_name() -> None:
    classes = {rule.cwe for rule in catalogue.shipped_rules() if rule.cwe}
    classes |= {each.cwe for each in sink_classes().values()}
    assert [cwe for cwe in sorted(classes) if not weakness_name(cwe)] == []


def test_an_id_that_a_rule_had_before_is_taken(tmp_path: Path) -> None:
    renamed = next(rule for rule in catalogue.shipped_rules() if rule.formerly)
    (shipped,) = catalogue.FOLDER.rglob(f"{renamed.id}.yml")
    (tmp_path / shipped.name).write_text(shipped.read_text())
    other = renamed.formerly[0]
    text = shipped.read_text().replace(f"id: {renamed.id}", f"id: {other}")
    (tmp_path / f"{other}.yml").write_text(text.replace(f"formerly: [{other}]", ""))
    with pytest.raises(DataFileError, match=f"the ID {other} is taken"):
        catalogue.load_rules(tmp_path)
