"""The programs that language detection is measured on.

`LANGUAGE.txt` holds programs that were written one by one, each under a line `%%%% what it is`.
`parts/LANGUAGE.txt` holds pieces; more programs are put together from them, with other names,
numbers, indents and comments. The same seed makes the same programs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
GENERATED_PER_LANGUAGE = 8
LEAST_LINES = 20
_TITLE = re.compile(r"^%%%%(?: (.*))?\n", re.MULTILINE)

_NOUNS = """
    order invoice player ticket sensor message tree cell account token book recipe route city wallet
    frame signal shape layer color user session asset packet block page job task queue letter mole
"""
_VERBS = "update merge parse load render check send rotate scan pack resolve collect assign"
_COMMENTS = """
    the order matters here, see below|keep this in step with the other side|if in doubt, do nothing
    das muss vor dem ersten Aufruf geschehen|hier wird nichts mehr geprüft, das war vorher
    à revoir quand la liste sera triée|on garde la valeur précédente en cas d'erreur
    no se usa todavía, pero pronto sí|primero se leen todos los datos
    questo valore non cambia mai dopo l'avvio|сначала читаем всё, потом считаем
    это нужно для старых версий|最初に全部読み込む|ここでは順番が大事|先检查再写入|这里不能为空
    to działa tylko dla małych liczb|burada sıra önemlidir, değiştirme|TODO: think about this again
"""  # noqa: RUF001 - letters of Turkish and others
_COMMENT_STYLES = {
    "python": "# ", "ruby": "# ", "bash": "# ", "yaml": "# ", "sql": "-- ",
    "css": "/* ", "php": "// ",
}  # fmt: skip
_INDENTED_BY_RULE = frozenset({"python", "yaml", "go"})


class Program(NamedTuple):
    """`language` is a canonical name; `name` says where it comes from."""

    language: str
    name: str
    code: str


def all_programs(seed: int = 1) -> list[Program]:
    """All programs: the written ones, then the generated ones."""
    return [*written(), *generated(seed)]


def written() -> Iterator[Program]:
    """The programs that were written one by one."""
    for file in sorted(FOLDER.glob("*.txt")):
        for title, code in _blocks(file):
            yield Program(file.stem, title, code)


def generated(seed: int) -> Iterator[Program]:
    """Programs that are put together from parts."""
    chance = random.Random(seed)
    for file in sorted((FOLDER / "parts").glob("*.txt")):
        parts = [code for _, code in _blocks(file)]
        for number in range(GENERATED_PER_LANGUAGE):
            code = _put_together(parts, file.stem, chance)
            yield Program(file.stem, f"generated {number + 1}", code)


def _blocks(file: Path) -> Iterator[tuple[str, str]]:
    """(title, text) of each block of a file."""
    pieces = _TITLE.split(file.read_text(encoding="utf-8"))[1:]
    for title, text in zip(pieces[::2], pieces[1::2], strict=True):
        yield title or "", text


def _put_together(parts: list[str], language: str, chance: random.Random) -> str:
    comments = chance.random() < 0.6
    pieces: list[str] = []
    left = chance.sample(parts, len(parts))
    # What a file begins with stays in front.
    left.sort(key=lambda part: part != parts[0])
    if chance.random() < 0.5:
        left.pop(0)
    least = chance.randint(LEAST_LINES, 45)
    while sum(piece.count("\n") for piece in pieces) < least:
        if not left:
            left = chance.sample(parts[1:], len(parts) - 1)
        part = _with_other_names(left.pop(0), chance)
        if comments and pieces and chance.random() < 0.7:
            part = _comment(language, chance) + part
        pieces.append(part)
    code = "\n".join(pieces)
    return code if language in _INDENTED_BY_RULE else _indented(code, chance)


def _comment(language: str, chance: random.Random) -> str:
    text = chance.choice(_COMMENTS.strip().replace("\n", "|").split("|")).strip()
    begin = _COMMENT_STYLES.get(language, "// ")
    return f"{begin}{text}{' */' if begin == '/* ' else ''}\n"


def _with_other_names(part: str, chance: random.Random) -> str:
    zork, blim = chance.sample(_NOUNS.split(), 2)
    for word, name in (("zork", zork), ("blim", blim), ("frob", chance.choice(_VERBS.split()))):
        part = part.replace(word, name).replace(word.capitalize(), name.capitalize())
        part = part.replace(word.upper(), name.upper())
    return re.sub(r"\b(?:42|7)\b", lambda _: str(chance.randint(2, 500)), part)


def _indented(code: str, chance: random.Random) -> str:
    """With another width of indents, or tabs."""
    widths = [len(found) for found in re.findall(r"^ +", code, re.MULTILINE)]
    unit = min(widths, default=4)
    new = chance.choice(["  ", "    ", "    ", "\t"])
    return re.sub(
        r"^ +",
        lambda found: new * (len(found[0]) // unit) + " " * (len(found[0]) % unit),
        code,
        flags=re.MULTILINE,
    )
