"""Which sides of the code a prompt asks about. Pure."""

from __future__ import annotations

import re

from codeintel_plugins.static.rules import Aspect

# A star stands for any ending.
_WORDS: dict[Aspect, str] = {
    Aspect.SECURITY: "secur* vulnerab* exploit* inject* xss cwe* owasp attack* unsafe saniti*",
    Aspect.SECRETS: "secret secrets password* credential* token tokens apikey* hardcoded",
    Aspect.CORRECTNESS: "correct* bug bugs buggy error* defect* wrong crash* fail* broken mistake*"
    " fault* exception* logic",
    Aspect.PERFORMANCE: "perform* slow* fast* speed* optimi* efficien* inefficien* bottleneck*",
    Aspect.COMPLEXITY: "complex* cyclomatic nest* simplif* metric*",
    Aspect.UNUSED: "unused dead unreachable unnecessary redundant",
    Aspect.MAINTAINABILITY: "maintain* style quality readab* clean* smell* refactor* idiom*"
    " pythonic moderni* practice*",
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


def aspects_asked(prompt: str) -> tuple[Aspect, ...]:
    """The aspects that the prompt names, in the order of :class:`Aspect`."""
    return tuple(aspect for aspect, words in _ASPECTS.items() if words.search(prompt))


def is_general(prompt: str) -> bool:
    """Whether it asks for an analysis and nothing in particular, or for nothing at all."""
    return all(word in _GENERAL for word in re.findall(r"\w+", prompt.lower()))
