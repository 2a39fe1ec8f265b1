"""The table in `docs/analysis.md` of what the rules look for, by language.

    python -m codeintel_plugins.patterns.overview docs/analysis.md

writes it anew; a test holds the file to the rules.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from codeintel_plugins.patterns.catalogue import for_language, shipped_rules
from codeintel_plugins.patterns.rule import LANGUAGES, PatternRule

BEGIN = "<!-- The table is written by codeintel_plugins.patterns.overview. -->\n"
END = "<!-- The end of the table. -->\n"


def overview(rules: Iterable[PatternRule]) -> str:
    """The table in Markdown: a row for each language, with its weakness classes in order."""
    known = list(rules)
    rows = ["| language | rules | weakness classes |", "|---|---|---|"]
    for language in LANGUAGES:
        of_language = for_language(known, language)
        numbers = sorted({int(rule.cwe[4:]) for rule in of_language if rule.cwe})
        rows.append(f"| {language} | {len(of_language)} | {', '.join(map(str, numbers))} |")
    return "\n".join(rows) + "\n"


def renewed(text: str, table: str) -> str:
    """The document with the table in its place.

    :raises ValueError: if it has no place for it.
    """
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError("the document has no place for the table")
    return f"{head}{begin}\n{table}\n{end}{tail}"


def main() -> None:
    """Renew the document that the command line names."""
    path = Path(sys.argv[1])
    path.write_text(renewed(path.read_text(), overview(shipped_rules())))


if __name__ == "__main__":
    main()
