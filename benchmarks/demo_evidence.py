"""Record the evidence of the demo's packages (codeintel/operations/demo/data/evidence.json).

    python benchmarks/demo_evidence.py STARS NODE_MODULES [--date 2026-11-27]

The facts are what the authors published: the metadata of distributions in this Python environment
and the `package.json` files in NODE_MODULES, with the release dates in changelogs that are part of
them. STARS is a CSV with the stars of GitHub repositories
by week (`repo,week,stars`), as https://github.com/EvanLi/Github-Ranking (MIT) records them. A fact
that neither source has is left out, so the score reports it as missing.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from email.message import Message
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from codeintel_plugins.trust.collectors.names import repository_of
from packaging.requirements import Requirement

import codeintel.operations.demo

FILE = Path(codeintel.operations.demo.__file__).parent / "data" / "evidence.json"
PYPI = (
    "alembic blinker certifi charset-normalizer click flask gevent greenlet idna itsdangerous "
    "jinja2 mako markupsafe packaging pathspec pluggy pydantic pytest python-dotenv pyyaml "
    "redis requests sqlalchemy urllib3 werkzeug zope-event zope-interface"
)
NPM = (
    "@isaacs/fs-minipass brace-expansion glob lru-cache minimatch minipass minizlib node-gyp "
    "path-scurry semver tar yallist"
)
GITHUB = (
    "chartjs/Chart.js docker/compose etcd-io/etcd evanw/esbuild gin-gonic/gin grafana/k6 "
    "mrdoob/three.js parcel-bundler/parcel restic/restic sharkdp/fd swc-project/swc"
)
SHORTEST_YEARS = 5
"""A changelog that begins later was probably cut, and would make the package look young."""
LICENSE_CHARACTERS = 80
"""Longer texts are the license itself, not its name."""
_RELEASE = re.compile(
    r"(?:#+ *)?\[?v?(\d+(?:\.\w+)+)\]?(?:\(\S*\))?\s*[-/]?\s*\(?(\d{4}-\d\d-\d\d)\)?\s*"
)
"""A heading of a changelog."""
_REPOSITORY_LABELS = {"source", "source code", "repository", "code", "github", "sources"}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("stars", type=Path)
    parser.add_argument("node_modules", type=Path)
    parser.add_argument("--date", type=date.fromisoformat, default=datetime.now(UTC).date())
    options = parser.parse_args()
    rows = [
        *(_pypi(name, options.date) for name in PYPI.split()),
        *(_npm(options.node_modules / name, options.date) for name in NPM.split()),
        *_github(options.stars, GITHUB.split()),
    ]
    rows.sort(key=lambda row: (row["ecosystem"], row["name"]))
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, sort_keys=True) for row in rows)
    FILE.write_text(f'{{"packages": [\n{lines}\n]}}\n', encoding="utf-8")
    print(f"{len(rows)} packages, {FILE.stat().st_size:,} bytes")


def _pypi(name: str, day: date) -> dict[str, Any]:
    """Return a package from the metadata of its installed distribution."""
    found = distribution(name)
    told = cast(Message, found.metadata)
    license_ = told.get("License-Expression") or told.get("License") or ""
    return {
        "ecosystem": "pypi",
        "name": name,
        "day": day.isoformat(),
        "source": "package-metadata",
        "url": f"https://deps.dev/pypi/{name}/{found.version}",
        "facts": _known(
            version=found.version,
            licenses=[license_] if 0 < len(license_) <= LICENSE_CHARACTERS else None,
            repository=next(_repositories(told), None),
            dependencies=_direct(dict(_requirements(found.requires or ()))),
            releases=_releases(str(told.get_payload()), found.version),
        ),
    }


def _repositories(told: Message) -> Iterator[str]:
    for entry in told.get_all("Project-URL") or ():
        label, _, url = entry.partition(",")
        if label.strip().lower() in _REPOSITORY_LABELS and (place := repository_of(url)):
            yield place


def _requirements(lines: list[str] | tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield what the distribution itself requires here, without its extras."""
    for line in lines:
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
            yield re.sub(r"[-_.]+", "-", wanted.name).lower(), str(wanted.specifier)


def _npm(folder: Path, day: date) -> dict[str, Any]:
    """Return a package from its `package.json`."""
    told = json.loads((folder / "package.json").read_text("utf-8"))
    link = told.get("repository")
    link = link.get("url") if isinstance(link, dict) else link
    if isinstance(link, str) and re.fullmatch(r"[\w.-]+/[\w.-]+", link):
        link = f"https://github.com/{link}"  # npm's short form
    return {
        "ecosystem": "npm",
        "name": told["name"],
        "day": day.isoformat(),
        "source": "package-metadata",
        "url": f"https://deps.dev/npm/{quote(told['name'], safe='')}/{told['version']}",
        "facts": _known(
            version=told["version"],
            licenses=[told["license"]] if isinstance(told.get("license"), str) else None,
            repository=repository_of((link or "").removeprefix("github:")) or None,
            dependencies=_direct(told.get("dependencies", {})),
            releases=_releases(_changelog(folder), told["version"]),
        ),
    }


def _direct(wanted: dict[str, str]) -> dict[str, Any]:
    rows = [{"name": name, "requirement": text} for name, text in sorted(wanted.items())]
    return {"direct": rows, "count": len(rows), "isComplete": True}


def _changelog(folder: Path) -> str:
    file = folder / "CHANGELOG.md"
    return file.read_text("utf-8") if file.is_file() else ""


def _releases(text: str, version: str) -> list[dict[str, str]] | None:
    """Return the dated releases of a changelog, or None if it is cut, or lacks the version."""
    found = {
        each[1]: f"{each[2]}T00:00:00Z"
        for line in text.splitlines()
        if (each := _RELEASE.fullmatch(line))
    }
    if version not in found or int(max(found.values())[:4]) - int(min(found.values())[:4]) < (
        SHORTEST_YEARS
    ):
        return None
    rows = [{"version": name, "at": at} for name, at in found.items()]
    return sorted(rows, key=lambda row: (row["at"], row["version"]))


def _github(file: Path, names: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the repositories with their stars by week."""
    weeks: dict[str, dict[str, int]] = {}
    with file.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            weeks.setdefault(row["repo"], {})[row["week"]] = int(row["stars"])
    for name in names:
        stars = sorted(weeks[name].items())
        yield {
            "ecosystem": "github",
            "name": name.lower(),
            "day": stars[-1][0],
            "source": "github-ranking",
            "url": f"https://github.com/{name}",
            "facts": {"repository": f"github.com/{name}", "stars": stars[-1][1]},
            "stars": stars,
        }


def _known(**facts: Any) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value is not None}


if __name__ == "__main__":
    main()
