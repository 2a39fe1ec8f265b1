"""Read a repository with the program `git`, without running code that the repository names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from codeintel.client.repository.disk import is_plain, kind_of

SECONDS = 120.0
"""Time limit for one command. Listing 50,000 files on a slow disk takes less."""
_SAFE = (
    "--no-pager",
    "--literal-pathspecs",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.quotePath=false"),
    *("-c", "safe.bareRepository=explicit"),
)
_QUIET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "LC_ALL": "C",
}
_ELSEWHERE = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_NAMESPACE"),
    *("GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_EXTERNAL_DIFF", "GIT_LITERAL_PATHSPECS"),
)
"""Variables that Git sets for hooks. They can name another repository."""
_OTHERS = ("ls-files", "-z", "--others", "--exclude-standard")
_DIFF = ("diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "-z")
REGULAR = frozenset({0o100644, 0o100755, 0o100664})
LINK = 0o120000
SUBMODULE = 0o160000
_NOT_CHECKED_OUT = "S"
_FILTER = re.compile(r"filter\.(?P<name>.+)\.(?:clean|smudge|process|required)", re.DOTALL)
_NO_FILTER = ("clean=", "smudge=", "process=", "required=false")
_CLOSED = re.compile(
    r"^warning: could not open directory '(?P<path>.+?)/?': [^'\n]+$", re.DOTALL | re.MULTILINE
)
_WARNING = re.compile(r"^warning: (?P<text>.+)$", re.MULTILINE)
_CHUNK = 1024 * 1024


class GitError(Exception):
    """Git cannot answer. The text names the reason."""


class NoWorkTreeError(GitError):
    """A repository has no files at the named place. The text gives the solution."""


class GitFile(NamedTuple):
    """A file that Git knows. `path` is relative to the top of the repository.

    `object_id` names its content, or is empty for a file that is not tracked. `is_absent` marks a
    file that a sparse checkout leaves out.
    """

    path: str
    mode: int
    object_id: str
    is_absent: bool = False


class Untracked(NamedTuple):
    """The untracked files that no rule ignores.

    `closed` are the folders that cannot be read, with an empty text for the top. `warnings` are
    what else Git reports, for example about ignore files that it cannot read.
    """

    files: tuple[GitFile, ...]
    closed: tuple[str, ...]
    warnings: tuple[str, ...]


class Repository:
    """A repository with a work tree. `top` is the folder at its top, without symbolic links."""

    def __init__(self, git: str, top: Path, index: str | None = None) -> None:
        self.top = top
        self._git = git
        self._index = index

    @classmethod
    def around(cls, folder: Path) -> Repository | None:
        """Return the repository that contains a folder, or None without Git or a repository.

        :raises GitError: if Git refuses the repository, or if it has no work tree.
        """
        git = shutil.which("git")
        if git is None or not folder.is_dir():
            return None
        try:
            said = _output(git, folder, ("rev-parse", "--is-bare-repository", "--show-toplevel"))
        except GitError as error:
            if "not a git repository" in str(error):
                return None
            if "must be run in a work tree" in str(error) or "bare repository" in str(error):
                raise NoWorkTreeError(
                    f"{folder} is a bare repository, which has no files. Clone it, and scan the "
                    "clone."
                ) from None
            raise
        top = Path(os.path.realpath(_text(said).split("\n", 1)[1].removesuffix("\n")))
        if not _is_top(git, top, folder):
            raise NoWorkTreeError(
                f"The configuration of the repository in {folder} names another folder for its "
                "files. Remove core.worktree from it."
            )
        return cls(git, top, _hook_index(git, top))

    def untracked(self) -> Untracked:
        """Return the untracked files, and the folders that Git cannot look into."""
        said = _ended(self._git, self.top, _OTHERS, self._index)
        errors = _text(said.stderr)
        others = os.fsencode(_CLOSED.sub("", errors)).decode("utf-8", "backslashreplace")
        return Untracked(
            # A slash at the end marks another repository within this one.
            tuple(
                GitFile(path.removesuffix("/"), SUBMODULE if path.endswith("/") else 0, "")
                for path in _names(said.stdout)
            ),
            tuple(
                "" if match["path"] == "." else match["path"] for match in _CLOSED.finditer(errors)
            ),
            tuple(match["text"].strip() for match in _WARNING.finditer(others)),
        )

    def index_files(self) -> Iterator[GitFile]:
        """Yield the files of the index, as the next commit will contain them."""
        said = self._ask("ls-files", "-z", "--cached", "--stage", "-t")
        seen = ""
        for line in _names(said):
            facts, _, path = line.partition("\t")
            *tag, mode, object_id, _ = facts.split(" ")
            if path == seen:  # another side of a conflict
                continue
            seen = path
            yield GitFile(path, int(mode, 8), object_id, is_absent=tag == [_NOT_CHECKED_OUT])

    def commit_files(self, commit: str) -> Iterator[GitFile]:
        """Yield the files of a commit."""
        for line in _names(self._ask("ls-tree", "-r", "-z", "--full-tree", commit)):
            facts, _, path = line.partition("\t")
            mode, _, object_id = facts.split(" ")
            yield GitFile(path, int(mode, 8), object_id)

    def commit(self, name: str) -> str:
        """Return the ID of the commit that a branch, a tag or an ID names.

        :raises GitError: if there is no such commit.
        """
        wanted = f"{name}^{{commit}}"
        try:
            return _text(
                self._ask("rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
            ).strip()
        except GitError:
            advice = (
                "The clone is shallow: fetch the commit first, for example with `git fetch "
                "--unshallow`, or `fetch-depth: 0` in a GitHub workflow."
                if self.is_shallow()
                else "Name a branch, a tag or the ID of a commit."
            )
            raise GitError(f'Git does not know the commit "{name}". {advice}') from None

    def merge_base(self, commit: str) -> str | None:
        """Return the last common commit with HEAD, or None if the histories have none."""
        try:
            return _text(self._ask("merge-base", commit, "HEAD")).strip() or None
        except GitError:
            return None

    def has_commits(self) -> bool:
        """Return whether HEAD names a commit."""
        try:
            self._ask("rev-parse", "--verify", "--quiet", "HEAD")
        except GitError:
            return False
        return True

    def is_shallow(self) -> bool:
        """Return whether a part of the history was not fetched."""
        return _text(self._ask("rev-parse", "--is-shallow-repository")).strip() == "true"

    def changed(self, commit: str | None) -> set[str]:
        """Return the files that the work tree has and that differ from a commit.

        Untracked files count, and those that the index marks as unchanged, which Git does not
        compare. Without a commit, all files count.
        """
        untracked = _names(self._ask(*_OTHERS))
        if commit is None:
            return {each.path for each in self.index_files()} | set(untracked)
        told = self._ask(
            *self._without_filters(),
            *(*_DIFF, "--name-only", "--no-renames", "--diff-filter=d", commit, "--"),
        )
        return {*_names(told), *untracked, *self._not_compared()}

    def _not_compared(self) -> Iterator[str]:
        """Yield the files that exist although the index says not to compare them."""
        for line in _names(self._ask("ls-files", "-z", "--cached", "-v")):
            tag, _, path = line.partition(" ")
            is_hidden = tag.islower() or tag == _NOT_CHECKED_OUT
            if is_hidden and is_plain(path) and kind_of(self.top, path) is not None:
                yield path

    def _without_filters(self) -> Iterator[str]:
        """Yield options against all filters, which are commands that Git runs to compare files.

        Files that a filter changes count as changed if their times differ from those in the index.
        """
        listed = _names(self._ask("config", "-z", "--list", "--name-only"))
        found = (_FILTER.fullmatch(each) for each in listed)
        for name in sorted({match["name"] for match in found if match}):
            if "=" in name:
                raise GitError(
                    "a filter in its configuration has an equals sign in its name. Rename it"
                )
            for setting in _NO_FILTER:
                yield from ("-c", f"filter.{name}.{setting}")

    def staged(self) -> set[str]:
        """Return the files of the index that differ from HEAD."""
        if not self.has_commits():
            return {each.path for each in self.index_files()}
        return set(
            _names(self._ask(*_DIFF, "--cached", "--name-only", "--no-renames", "--diff-filter=d"))
        )

    @contextmanager
    def objects(self) -> Iterator[Objects]:
        """Yield a reader of contents, which uses one process for all of them."""
        with subprocess.Popen(  # noqa: S603 - no shell, and only IDs of objects are written to it
            [self._git, *_SAFE, "cat-file", "--batch"],
            cwd=self.top,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            if process.stdin is None or process.stdout is None:
                raise GitError("Git cannot read contents.")
            try:
                yield Objects(process.stdin, process.stdout)
            finally:
                process.kill()

    def _ask(self, *arguments: str) -> bytes:
        return _output(self._git, self.top, arguments, self._index)


class Objects:
    """Reads the contents of objects."""

    def __init__(self, questions: IO[bytes], answers: IO[bytes]) -> None:
        self._questions = questions
        self._answers = answers
        self._lock = threading.Lock()  # greenlets take turns if the standard library is patched

    def read(self, object_id: str, limit: int) -> bytes | None:
        """Return a content, or None if it is missing. Return one byte more than the limit of a
        longer content.
        """
        try:
            with self._lock:
                return self._content(object_id, limit)
        except OSError as error:
            raise GitError(f"Git ended while it read contents: {error}.") from None

    def _content(self, object_id: str, limit: int) -> bytes | None:
        self._questions.write(f"{object_id}\n".encode())
        self._questions.flush()
        head = self._answers.readline().split()
        if len(head) != 3:
            return None
        size = int(head[2])
        data = self._answers.read(min(size, limit + 1))
        left = size - len(data) + 1  # a line break follows the content
        while left > 0:
            left -= len(self._answers.read(min(left, _CHUNK))) or left
        return data if head[1] == b"blob" else None


def _names(output: bytes) -> Iterator[str]:
    yield from (os.fsdecode(each) for each in output.split(b"\0") if each)


def _text(output: bytes) -> str:
    return os.fsdecode(output)


def _environment(index: str | None = None) -> dict[str, str]:
    kept = {name: each for name, each in os.environ.items() if name not in _ELSEWHERE}
    return {**kept, **_QUIET, **({"GIT_INDEX_FILE": index} if index else {})}


def _is_top(git: str, top: Path, folder: Path) -> bool:
    """Return whether a folder is at or below the top of its repository, which contains its files.

    The configuration can name a folder above as well, which has no repository or another one.
    """
    here = Path(os.path.realpath(folder))
    if here == top:
        return True
    try:
        return here.is_relative_to(top) and _git_folder(git, top) == _git_folder(git, here)
    except GitError:
        return False


def _git_folder(git: str, folder: Path) -> Path:
    said = _output(git, folder, ("rev-parse", "--absolute-git-dir"))
    return Path(os.path.realpath(_text(said).removesuffix("\n")))


def _hook_index(git: str, top: Path) -> str | None:
    """Return the index that a commit of this repository is made from, if a hook runs the command.

    `git commit FILE` and `git commit --all` use a separate index. It is in the Git folder of the
    work tree, which is elsewhere for a linked work tree and for a submodule.
    """
    named = os.environ.get("GIT_INDEX_FILE")
    if not named:
        return None
    index = Path(os.path.realpath(named))
    is_own = index.is_relative_to(_git_folder(git, top)) and index.is_file()
    return str(index) if is_own else None


def _output(git: str, folder: Path, arguments: tuple[str, ...], index: str | None = None) -> bytes:
    """Return the output of a command that only reads.

    :raises GitError: if it fails. The text is what Git says.
    """
    return _ended(git, folder, arguments, index).stdout


def _ended(
    git: str, folder: Path, arguments: tuple[str, ...], index: str | None
) -> subprocess.CompletedProcess[bytes]:
    """Return how a command ended that only reads.

    :raises GitError: if it fails. The text is what Git says.
    """
    try:
        ended = subprocess.run(  # noqa: S603 - no shell, and no option comes from the repository
            [git, *_SAFE, *arguments],
            cwd=folder,
            env=_environment(index),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitError(f"Git took longer than {SECONDS:g} seconds.") from None
    except OSError as error:
        raise GitError(f"Git cannot be started: {error.strerror}.") from None
    if ended.returncode != 0:
        lines = ended.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(lines[0].removeprefix("fatal: ") if lines else "Git failed.")
    return ended
