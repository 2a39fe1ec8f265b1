"""Connect the values that files give to templates with what the templates write unescaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from codeintel.engine.dataflow.project.quoting import digest_of, name_of
from codeintel.engine.dataflow.project.records import (
    Atom,
    FileSummary,
    Output,
    SinkHit,
    SiteKind,
)
from codeintel.engine.dataflow.table import sink_classes

MAX_TEMPLATES = 3
"""Maximum number of templates that one name may mean."""
_SINK = "html"
_WHAT = "the page"
_ENDINGS = re.compile(
    r"(?:\.(?:blade\.php|html|htm|js|text|ejs|erb|cshtml|razor|hbs|handlebars|mustache|pug|jade|jinja2?"
    r"|j2|twig|njk))+\Z"
)
_ANY = "*"
_WORDS = re.compile(r"(?:\A|_)([a-z])")


class Rendering(NamedTuple):
    """A value of a file that a template writes. `path` is the file, `template` the template."""

    path: str
    atom: Atom
    hit: SinkHit
    template: str


def renderings(summaries: Mapping[str, FileSummary]) -> Iterator[Rendering]:
    """Yield the values that templates write without escaping."""
    stems: dict[str, list[str]] = {}
    by_last: dict[str, list[str]] = {}
    for path, each in summaries.items():
        if each.outputs:
            stem = _ENDINGS.sub("", path)
            stems.setdefault(stem, []).append(path)
            by_last.setdefault(stem.rpartition("/")[2].lstrip("_"), []).append(path)
    if not stems:
        return
    for path, summary in summaries.items():
        for site in summary.sites:
            if site.kind is not SiteKind.RENDER:
                continue
            for template in _named(site.target, by_last, stems):
                for output in summaries[template].outputs:
                    for given in site.args:
                        if given.keyword in (output.variable, _ANY):
                            hit = _hit(output)
                            yield from (Rendering(path, e, hit, template) for e in given.atoms)
        if summary.language in ("ruby", "csharp"):
            yield from _implicit(path, summary, stems, summaries)


def _named(target: str, by_last: dict[str, list[str]], stems: dict[str, list[str]]) -> list[str]:
    """Return the templates that a name means. Without a name, all may be meant."""
    if not target:
        return [path for paths in list(stems.values())[:200] for path in paths]
    name = _ENDINGS.sub("", target).strip("/")
    if "/" not in name:
        name = name.replace(".", "/").replace("::", "/")
    known = by_last.get(name.rpartition("/")[2], ())
    found = [
        path
        for path in known
        if f"/{_ENDINGS.sub('', path).replace('/_', '/')}".endswith(f"/{name}")
    ]
    return found[:MAX_TEMPLATES]


def _implicit(
    path: str,
    summary: FileSummary,
    stems: dict[str, list[str]],
    summaries: Mapping[str, FileSummary],
) -> Iterator[Rendering]:
    """Yield the fields of a controller that the templates in the folder of its name write."""
    writes = {each.target: each.atoms for each in summary.writes}
    owners = {each.partition(".")[0] for each in writes if "Controller." in each}
    for stem, paths in stems.items() if owners else ():
        folder = stem.rpartition("/")[0].rpartition("/")[2]
        owner = f"{_WORDS.sub(lambda found: found[1].upper(), folder)}Controller"
        for template in paths if owner in owners else ():
            for output in summaries[template].outputs:
                for atom in writes.get(f"{owner}.{output.variable}", ()):
                    yield Rendering(path, atom, _hit(output), template)


def _hit(output: Output) -> SinkHit:
    kinds = tuple(sink_classes()[_SINK].kinds)
    name, place = output.variable, output.place
    return SinkHit(_SINK, _WHAT, place, place, name_of(name), "", digest_of(name), kinds, ())
