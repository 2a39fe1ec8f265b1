"""A page in HTML for each rule: what it is about, what to do, and its examples; its facts are for
the service to add. Pure, but for
:func:`write_pages`, which the build calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from codeintel_plugins.patterns.rule import PatternRule

FOLDER = Path(__file__).parent / "pages"


def page(rule: PatternRule) -> str:
    """The page of a rule, as a fragment that goes into a page of the site."""
    return "\n".join(_lines(rule)) + "\n"


def _lines(rule: PatternRule) -> Iterator[str]:
    yield f"<h1>{escape(rule.summary.rstrip('.'))}</h1>"
    yield f"<p>{escape(rule.explanation)}</p>"
    yield f"<h2>What to do</h2>\n<p>{escape(rule.remedy)}</p>"
    yield from _examples("Found", rule.examples.bad)
    yield from _examples("Not found", rule.examples.good)


def _examples(title: str, examples: Iterable[str]) -> Iterator[str]:
    yield f"<h2>{title}</h2>"
    for code in examples:
        yield f'<pre tabindex="0"><code>{escape(code)}</code></pre>'


def write_pages(rules: Iterable[PatternRule], folder: Path) -> list[Path]:
    """Write the pages of all rules into a folder, and remove those of rules that are gone."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for rule in rules:
        path = folder / f"{rule.id}.html"
        path.write_text(page(rule))
        written.append(path)
    for path in set(folder.glob("*.html")) - set(written):
        path.unlink()
    return sorted(written)
