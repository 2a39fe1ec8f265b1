"""Which sides of the code a prompt asks about. Pure."""

from __future__ import annotations

import re

from codeintel.contracts import Category

# A star stands for any ending.
_WORDS: dict[Category, str] = {
    Category.SECURITY: "secur* vulnerab* exploit* inject* xss cwe* owasp attack* unsafe saniti*",
    Category.SECRETS: "secret secrets password* credential* token tokens apikey* hardcoded",
    Category.CORRECTNESS: "correct* bug bugs buggy error* defect* wrong crash* fail* broken"
    " mistake* fault* exception* logic",
    Category.PERFORMANCE: "perform* slow* fast* speed* optimi* efficien* inefficien* bottleneck*",
    Category.COMPLEXITY: "complex* cyclomatic nest* simplif* metric*",
    Category.UNUSED: "unused dead unreachable unnecessary redundant",
    Category.MAINTAINABILITY: "maintain* style quality readab* clean* smell* refactor*"
    " idiom* pythonic moderni* practice*",
}
_GENERAL_WORDS = """
    a all an analyse analysis analyze and any audit can check code could everything examine file
    find findings for full function give i in inspect is issue issues it lint list look me module my
    of please problem problems program python report review scan script show snippet static tell the
    there this to what with would you
"""


def _pattern(words: str) -> re.Pattern[str]:
    alternatives = "|".join(word.replace("*", r"\w*") for word in words.split())
    return re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE)


_ASPECTS = {aspect: _pattern(words) for aspect, words in _WORDS.items()}
_GENERAL = frozenset(_GENERAL_WORDS.split())


def aspects_asked(prompt: str) -> tuple[Category, ...]:
    """The aspects that the prompt names, in the order of :class:`Category`."""
    return tuple(aspect for aspect, words in _ASPECTS.items() if words.search(prompt))


def is_general(prompt: str) -> bool:
    """Whether it asks for an analysis and nothing in particular, or for nothing at all."""
    return all(word in _GENERAL for word in re.findall(r"\w+", prompt.lower()))
