"""What the build makes of the rules: it checks that each can be matched, and writes its page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

from codeintel.engine.data_files import DataFileError
from codeintel.engine.dataflow.tree import GRAMMARS
from codeintel_plugins.patterns.rule import PatternRule

_BEGINS = "Caused by:"
_ENDS = "Stack backtrace:"


def check_rules(rules: Iterable[PatternRule]) -> None:
    """Let ast-grep read what each rule asks for, in each of the rule's languages.

    :raises DataFileError: if it cannot, naming the file, the key and what is wrong with it.
    """
    for rule in rules:
        if not rule.match:
            continue
        for language in rule.languages:
            if (why := _refusal(rule.config, language)) is not None:
                key = next(_refused_keys(rule, language), "match")
                raise DataFileError(f"{rule.id}.yml: {key}, for {language}: {why}")


def _refusal(config: dict[str, Any], language: str) -> str | None:
    """Why ast-grep cannot read something, in its words."""
    from ast_grep_py import SgRoot

    try:
        SgRoot("", GRAMMARS[language]).root().find_all(config)  # type: ignore[call-overload]
    except Exception as error:  # noqa: BLE001 - it has no class of its own
        text = str(error)
        text = text.partition(_BEGINS)[2].partition(_ENDS)[0] or text
        return "; ".join(line.strip() for line in text.strip().splitlines())
    return None


def _refused_keys(rule: PatternRule, language: str) -> Iterator[str]:
    utils = {"utils": rule.utils} if rule.utils else {}
    harmless = {name: {"regex": "."} for name in rule.utils}
    for name, each in rule.utils.items():
        if _refusal({"rule": {"all": [{"regex": "."}, each]}, "utils": harmless}, language):
            yield f"utils.{name}"
    if _refusal({"rule": rule.match, **utils}, language):
        yield "match"
    for name, each in rule.constraints.items():
        one = {"rule": rule.match, "constraints": {name: each}, **utils}
        if _refusal(one, language):
            yield f"constraints.{name}"


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
