"""Texts that once took a server's time without end, because a search of a line tried all ways to
part it: of a length that the square would show, and the third power would never end for."""

from __future__ import annotations

import time

import pytest
from codeintel_plugins.openai.transforming import CodeReply

from codeintel.workspaces.proof.manifests.reader import manifests

LENGTH = 100_000
SECONDS = 3.0

LINES = [
    ("/Gemfile", "group" + " " * LENGTH + "x"),
    ("/Gemfile", "git" + " " * LENGTH + "x"),
    ("/Gemfile", "gem 'a', \"" + " " * LENGTH + "x"),
    ("/Gemfile", "gem 'a', " + "group:" * (LENGTH // 6)),
    ("/Gemfile", "source 'a' do" + " do" * (LENGTH // 3)),
    ("/Gemfile", "a do" + " " * LENGTH + "!"),
    ("/Gemfile", "do\n" * (LENGTH // 3) + "gem 'a'\n" * (LENGTH // 8) + "end\n" * (LENGTH // 4)),
    ("/setup.cfg", "[options]\na" + " " * LENGTH + "!"),
    ("/setup.cfg", "[options]\n" + "\\\n" * (LENGTH // 2)),
    ("/setup.cfg", "[options.extras_require]\na = x\n" + " \n" * (LENGTH // 2) + " b"),
    ("/pom.xml", "<project>" + "a<b/>" * (LENGTH // 5) + "</project>"),
    (
        "/pom.xml",
        f"<project><properties><a>{'b' * LENGTH}</a></properties><parent><version>"
        f"{'${a}' * (LENGTH // 4)}</version></parent></project>",
    ),
    ("/pyproject.toml", '"\\' * (LENGTH // 2)),
    ("/pyproject.toml", '"""\\' * (LENGTH // 4)),
    ("/pyproject.toml", "'''\\" * (LENGTH // 4)),
    ("/pyproject.toml", '"""' + '\\"' * (LENGTH // 2) + "\\"),
    ("/.yarnrc.yml", '"npmScopes" : ' + "a" * LENGTH),
    ("/.yarnrc.yml", '"npmScopes : ' + " " * LENGTH),
    ("/.yarnrc.yml", "npmScopes:\n" + " \n" * (LENGTH // 2)),
    ("/.npmrc", "registry" + " " * LENGTH),
]


@pytest.mark.parametrize(("path", "text"), LINES, ids=[f"{p} {t[:12]!r}" for p, t in LINES])
def test_a_manifest_is_read_in_no_time(path: str, text: str) -> None:
    begin = time.process_time()
    manifests([(path, text), ("/package.json", '{"dependencies": {"kit": "^1"}}')])
    assert time.process_time() - begin < SECONDS


@pytest.mark.parametrize("line", ["~" * LENGTH, "`" * LENGTH, "~~~" + "x~" * (LENGTH // 2)])
def test_an_answer_of_a_model_is_parted_in_no_time(line: str) -> None:
    begin = time.process_time()
    reply = CodeReply()
    for start in range(0, LENGTH, 5_000):
        reply.feed(line[start : start + 5_000])
    reply.feed("\nx = 1\n")
    reply.end()
    assert time.process_time() - begin < SECONDS


def test_gemfiles_are_read_as_before() -> None:
    text = (
        "source 'https://example.test'\n"
        "gem 'a', '~> 1.0'\n"
        "group :development, :test do\n  gem 'b', '>= 2'\nend\n"
        "group(:production) do\n  gem 'c'\nend\n"
        "gem 'd', '1.0', group: :test\ngem 'e', groups: [:development]\n"
        "git 'https://example.test/x.git' do\n  gem 'f'\nend\n"
        "gem 'g'\n"
    )
    [found] = manifests([("/Gemfile", text)])
    told = {each.name: (each.requirement, each.group) for each in found.dependencies}
    assert told["a"] == ("~> 1.0", "runtime")
    assert told["b"] == (">= 2", "development")
    assert told["c"][1] == told["g"][1] == "runtime"
    assert told["d"][1] == told["e"][1] == "development"
    assert next(each for each in found.dependencies if each.name == "f").private
