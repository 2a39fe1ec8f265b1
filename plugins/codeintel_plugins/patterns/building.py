"""Check each rule and write an HTML page for it during the build.

To update the table of rules in `docs/analysis.md`, run

    python -m codeintel_plugins.patterns.building docs/analysis.md

A test compares the file with the rules.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from codeintel.engine.data_files import DataFileError
from codeintel.engine.dataflow.tree import GRAMMARS
from codeintel_plugins.patterns.catalogue import for_language, shipped_rules
from codeintel_plugins.patterns.rule import LANGUAGES, PatternRule
from codeintel_plugins.toolkit.rule_pages import fragment

_BEGINS = "Caused by:"
_ENDS = "Stack backtrace:"


def check_rules(rules: Iterable[PatternRule]) -> None:
    """Check that ast-grep can read each rule, in each of the rule's languages.

    :raises DataFileError: if it cannot. The error names the file, the key and the problem.
    """
    for rule in rules:
        if not rule.match:
            continue
        for language in rule.languages:
            if (why := _refusal(rule.config, language)) is not None:
                key = next(_refused_keys(rule, language), "match")
                raise DataFileError(f"{rule.id}.yml: {key}, for {language}: {why}")


def _refusal(config: dict[str, Any], language: str) -> str | None:
    """Return ast-grep's error message, or None if it can read the rule."""
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


def page(rule: PatternRule) -> str:
    """Return the page of a rule, as an HTML fragment for a page of the site."""
    text = f"{rule.summary} {rule.explanation}"
    return fragment(rule.title, text, rule.remedy, rule.examples.bad, rule.examples.good)


def write_pages(rules: Iterable[PatternRule], folder: Path) -> list[Path]:
    """Write the pages of all rules to a folder, and delete pages of removed rules."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for rule in rules:
        path = folder / f"{rule.id}.html"
        path.write_text(page(rule))
        written.append(path)
    for path in set(folder.glob("*.html")) - set(written):
        path.unlink()
    return sorted(written)


BEGIN = "<!-- The table is written by codeintel_plugins.patterns.building. -->\n"
END = "<!-- The end of the table. -->\n"


def overview(rules: Iterable[PatternRule]) -> str:
    """Return the Markdown table: a row for each language, with its weakness classes in order."""
    known = list(rules)
    rows = ["| Language | Rules | Weakness classes |", "|---|---|---|"]
    for language in LANGUAGES:
        of_language = for_language(known, language)
        numbers = sorted({int(rule.cwe[4:]) for rule in of_language if rule.cwe})
        rows.append(f"| {language} | {len(of_language)} | {', '.join(map(str, numbers))} |")
    return "\n".join(rows) + "\n"


def renewed(text: str, table: str) -> str:
    """Return the document with the table between its markers.

    :raises ValueError: if the document has no markers.
    """
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError("the document has no markers for the table")
    return f"{head}{begin}\n{table}\n{end}{tail}"


def main() -> None:
    """Update the document that is named on the command line."""
    path = Path(sys.argv[1])
    path.write_text(renewed(path.read_text(), overview(shipped_rules())))


if __name__ == "__main__":
    main()
