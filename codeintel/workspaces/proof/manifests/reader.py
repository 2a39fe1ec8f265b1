"""Read the direct dependencies in a workspace's manifests, including npm's and Composer's.

Nothing is executed. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice

from msgspec import UNSET

from codeintel.workspaces.proof.manifests.formats import (
    DEVELOPMENT,
    OPTIONAL,
    RUNTIME,
    UnreadableError,
    Written,
    json_object,
    part,
    shown,
)
from codeintel.workspaces.proof.manifests.lines import (
    cargo_toml,
    dockerfile,
    gemfile,
    go_mod,
    workflow,
)
from codeintel.workspaces.proof.manifests.private_names import (
    OTHERS,
    PrivateNames,
    PrivateNamesReader,
    is_config,
)
from codeintel.workspaces.proof.manifests.python import (
    pipfile,
    pyproject_toml,
    requirements_txt,
    setup_cfg,
)
from codeintel.workspaces.proof.manifests.xml import msbuild, pom_xml
from codeintel.workspaces.proof.shapes import Dependency, Manifest

_NPM_GROUPS = (
    ("dependencies", RUNTIME),
    ("devDependencies", DEVELOPMENT),
    ("peerDependencies", "peer"),
    ("optionalDependencies", OPTIONAL),
)
# A version, a range or a tag. Any other text names a source.
_RANGE = re.compile(r"[\w\s.^~<>=|*+-]*")
_ALIAS = re.compile(r"npm:((?:@[^@/\s]+/)?[^@/\s]+)(?:@([^/:]*))?")
_PLATFORM = re.compile(
    r"php(?:-64bit|-ipv6|-zts|-debug)?|hhvm|(?:ext|lib)-.*|composer(?:-.*)?", re.IGNORECASE
)
_CONSTRAINT = re.compile(r"[\w\s.^~<>=!|*,@+/#-]*")
MAX_CHARACTERS = 512 * 1024
"""Maximum length of a manifest. Longer ones were not written by hand."""
MAX_MANIFESTS = 500
MAX_DEPENDENCIES = 5_000
"""Maximum number of dependencies in all manifests together."""
TOO_LONG = "It is too long to read."
TOO_COSTLY = "It takes too long to read."
"""The problem of a manifest whose reading was stopped, so that its other dependencies are
unknown.
"""
Reader = Callable[[str, str], Iterator[Written]]
"""Maps text and path to dependencies."""


def package_json(text: str) -> Iterator[Written]:
    """Yield the dependencies of a `package.json`.

    :raises UnreadableError: if it is not a JSON object.
    """
    document = json_object(text)
    seen = set[str]()
    for key, group in _NPM_GROUPS:
        for name, wanted in part(document, key).items():
            if name not in seen:  # npm also lists optional ones among the others
                seen.add(name)
                yield _npm(name, wanted if isinstance(wanted, str) else "", group)


def _npm(name: str, wanted: str, group: str) -> Written:
    """Return a dependency by its version field: a range, another name, or a source."""
    wanted = wanted.strip()
    if alias := _ALIAS.fullmatch(wanted):
        return Written(alias[1], wanted, group)
    if _RANGE.fullmatch(wanted):
        return Written(name, wanted, group)
    kind = wanted.partition(":")[0]
    if kind == "catalog":  # pnpm: a range that is defined elsewhere
        return Written(name, wanted, group)
    if kind in {"file", "link", "portal", "workspace"}:
        reason = "It is a folder in the workspace."
    else:
        reason = "It comes from another source, not from a registry."
    return Written(name, wanted, group, reason)


def composer_json(text: str) -> Iterator[Written]:
    """Yield the dependencies of a `composer.json`.

    :raises UnreadableError: if it is not a JSON object.
    """
    document = json_object(text)
    for key, group in (("require", RUNTIME), ("require-dev", DEVELOPMENT)):
        for name, wanted in part(document, key).items():
            if _PLATFORM.fullmatch(name):
                continue
            wanted = wanted if isinstance(wanted, str) else ""
            known = _CONSTRAINT.fullmatch(wanted) is not None
            reason = "" if known else "It comes from another source, not from a registry."
            yield Written(name, wanted, group, reason)


def _by_text(read: Callable[[str], Iterator[Written]]) -> Reader:
    return lambda text, _path: read(text)


_READERS: tuple[tuple[re.Pattern[str], str, Reader], ...] = tuple(
    (re.compile(rf"/(?:{pattern})\Z"), ecosystem, read)
    for pattern, ecosystem, read in (
        (r"package\.json", "npm", _by_text(package_json)),
        (r"[\w.-]*requirements[\w.-]*\.(?:txt|in)", "pypi", requirements_txt),
        (r"requirements/[^/]+\.(?:txt|in)", "pypi", requirements_txt),
        (r"pyproject\.toml", "pypi", _by_text(pyproject_toml)),
        (r"setup\.cfg", "pypi", _by_text(setup_cfg)),
        (r"pipfile", "pypi", _by_text(pipfile)),
        (r"cargo\.toml", "cargo", _by_text(cargo_toml)),
        (r"go\.mod", "golang", _by_text(go_mod)),
        (r"composer\.json", "composer", _by_text(composer_json)),
        (r"gemfile|gems\.rb", "gem", _by_text(gemfile)),
        (r"pom\.xml", "maven", _by_text(pom_xml)),
        (r"[^/]+\.(?:cs|fs|vb)proj", "nuget", _by_text(msbuild)),
        (r"directory\.(?:build|packages)\.props|packages\.config", "nuget", _by_text(msbuild)),
        (r"(?:docker|container)file(?:\.[\w.-]+)?|[\w.-]+\.dockerfile", "docker",
         _by_text(dockerfile)),
        (r"\.github/workflows/[^/]+\.ya?ml|action\.ya?ml", "github", _by_text(workflow)),
    )
)  # fmt: skip


def is_of_interest(path: str) -> bool:
    """Return whether :func:`manifests` would read a file. Other files need not be loaded for it."""
    return _reader(path) is not None or is_config(path)


def manifests(
    files: Iterable[tuple[str, str]], left_out: Iterable[str] = (), unread: Collection[str] = ()
) -> list[Manifest]:
    """Return the manifests among some files, by path, with dependencies or with the reason for a
    failure. A dependency with a private name has the reason in `private`.

    :param files: path and text of each; they are iterated once.
    :param left_out: paths of other files in the workspace, such as those with secrets, which may
        configure a private registry.
    :param unread: paths of files to skip, because reading them takes too long. They get a problem,
        and what they may configure counts as private.
    """
    found: list[Manifest] = []
    for step in reading(files, left_out, unread):
        if not isinstance(step, str):
            found = step
    return found


def reading(
    files: Iterable[tuple[str, str]], left_out: Iterable[str] = (), unread: Collection[str] = ()
) -> Iterator[str | list[Manifest]]:
    """Yield each path before it is read, and finally the manifests."""
    kept = [(path, text) for path, text in files if is_of_interest(path)]
    kept.sort()
    names = PrivateNamesReader()
    for path, text in kept:
        yield path
        if path in unread:
            names.unreadable(path)
        elif len(text) <= MAX_CHARACTERS:
            names.read(path, text)
    names.left_out(left_out)
    private = names.found()
    found: list[Manifest] = []
    room = MAX_DEPENDENCIES
    for path, text in kept:
        reader = _reader(path)
        if reader is None or len(found) == MAX_MANIFESTS:
            continue
        yield path
        if path in unread:
            found.append(_unread(path, reader[0], TOO_COSTLY))
            continue
        manifest = _read(path, text, reader, private, room)
        room -= len(manifest.dependencies)
        if manifest.dependencies or manifest.problem is not UNSET:
            found.append(manifest)
    yield found


def _reader(path: str) -> tuple[str, Reader] | None:
    lower = path.lower()
    if OTHERS.search(lower):
        return None
    return next(((name, read) for pattern, name, read in _READERS if pattern.search(lower)), None)


def _read(
    path: str, text: str, reader: tuple[str, Reader], names: PrivateNames, room: int
) -> Manifest:
    ecosystem, read = reader
    if len(text) > MAX_CHARACTERS:
        return _unread(path, ecosystem, TOO_LONG)
    written: list[Written] = []
    problem = ""
    try:
        written.extend(islice(dict.fromkeys(read(text, path)), room + 1))
    except UnreadableError as error:
        problem = str(error)
    if len(written) > room:
        problem = f"Only {MAX_DEPENDENCIES:,} dependencies of a workspace are read."
    return Manifest(
        path=path,
        ecosystem=ecosystem,
        dependencies=tuple(_dependency(each, ecosystem, names) for each in written[:room]),
        problem=problem or UNSET,
    )


def _unread(path: str, ecosystem: str, problem: str) -> Manifest:
    return Manifest(path=path, ecosystem=ecosystem, dependencies=(), problem=problem)


def _dependency(written: Written, ecosystem: str, names: PrivateNames) -> Dependency:
    return Dependency(
        name=shown(written.name),
        requirement=shown(written.requirement),
        group=written.group,
        private=written.private or names.reason(ecosystem, written.name) or UNSET,
    )
