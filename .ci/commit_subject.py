"""A Git hook `commit-msg`: the subject of a commit is short and begins with an imperative.

    python .ci/commit_subject.py .git/COMMIT_EDITMSG

To know every verb takes a dictionary, and a wrong refusal costs more than a slip. So the hook only
refuses forms that are mostly used by mistake: "Added", "Adding", "Adds", "The", "New".
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_LENGTH = 72
_SCISSORS = "# ------------------------ >8 ------------------------"
_AUTOSQUASH = re.compile(r"(?:fixup|squash|amend)! ")
_AREA = re.compile(r"[A-Z][\w+#-]*(?: [\w+#-]+)?: ")
_NO_VERBS = frozenset({
    "a", "all", "an", "and", "any", "bugfix", "each", "every", "for", "in", "it", "its", "less",
    "misc", "more", "new", "no", "nothing", "now", "of", "one", "our", "small", "some", "that",
    "the", "these", "this", "to", "various", "we", "what", "when", "wip", "with",
})  # fmt: skip
_IMPERATIVES = frozenset({
    "alias", "bias", "bleed", "breed", "bring", "canvas", "embed", "exceed", "feed", "focus",
    "heed", "need", "ping", "proceed", "seed", "shed", "speed", "spring", "string", "succeed",
    "swing",
})  # fmt: skip
"""Verbs that end like a past form, a participle or a third person."""


def problems(message: str) -> Iterator[str]:
    """What is wrong with a message, in words; nothing if it is right."""
    lines = _written(message)
    subject = lines[0] if lines else ""
    if _AUTOSQUASH.match(subject):  # the subject of another commit, and gone before it is pushed
        return
    if len(subject) > MAX_LENGTH:
        yield f"the subject has {len(subject)} characters, {MAX_LENGTH} are the most"
    if subject.endswith("."):
        yield "the subject ends with a full stop"
    if len(lines) > 1 and lines[1].strip():
        yield "the line below the subject is not empty"
    words = _AREA.sub("", subject, count=1).split()
    if not words:
        yield "there is no subject"
    elif not words[0][0].isalpha() or not (words[0][0].isupper() or _AREA.match(subject)):
        yield "the subject does not begin with a word and a capital letter"
    elif not is_imperative(words[0]):
        yield f"`{words[0]}` is no verb in the imperative, such as `Add`, `Fix` or `Keep`"


def is_imperative(word: str) -> bool:
    """Whether a word may be a verb in the imperative, by its form."""
    word = word.lower().rstrip(",:")
    if word in _IMPERATIVES:
        return True
    is_third_person = word.endswith("s") and not word.endswith("ss")
    return word not in _NO_VERBS and not word.endswith(("ed", "ing")) and not is_third_person


def _written(message: str) -> list[str]:
    """The lines that become the commit's message."""
    lines = message.partition(_SCISSORS)[0].splitlines()
    return "\n".join(line for line in lines if not line.startswith("#")).strip().splitlines()


def main(arguments: list[str]) -> str | None:
    """What to say, or nothing if the message in a file may be used."""
    found = list(problems(Path(arguments[0]).read_text("utf-8")))
    return f"This commit message cannot be used: {'; '.join(found)}." if found else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
