"""Where a package comes from, and under what terms."""

from __future__ import annotations

from functools import cache
from importlib import metadata

from license_expression import (  # type: ignore[import-untyped]
    ExpressionError,
    get_spdx_licensing,
)

from codeintel.contracts import Case, Measure
from codeintel_plugins.trust.scorers.weighted import Weighted, number

DECLARED = 0.6
"""For a repository that the package names and nothing proves: whoever publishes writes what they
like there."""
UNCLEAR = 0.4
"""For a licence that is there and is none of SPDX's."""
MAX_CHARACTERS = 500
_ALWAYS_TOLD = ("attestations", "status")
"""Facts that a registry which knows the package tells whatever else it knows."""
_spdx = cache(get_spdx_licensing)


class Attestation(Weighted):
    """1 with a verified attestation or SLSA provenance; 0 without; half where one is there and
    could not be verified."""

    title = "Verified provenance"
    reads = ("attestations",)
    advice = "Publish from CI with provenance attestations, as npm and PyPI offer."

    def measure(self, case: Case) -> Measure | None:
        found = case.facts.value("attestations")
        verified = number(found.get("verified")) if isinstance(found, dict) else None
        total = number(found.get("total")) if isinstance(found, dict) else None
        if verified is None or total is None:
            return None
        score = 1.0 if verified > 0 else 0.5 if total > 0 else 0.0
        return Measure(verified, "verified attestations", score)


class SourceRepository(Weighted):
    """1 for a repository that an attestation proves, .6 for one that is only named, 0 for none
    although the registry was asked."""

    title = "Source repository"
    reads = ("repository", "repository_proof", *_ALWAYS_TOLD)
    advice = "Name the repository in the package, and publish with provenance from it."

    def measure(self, case: Case) -> Measure | None:
        found = case.facts.value("repository")
        if not isinstance(found, str):
            is_asked = any(name in case.facts for name in _ALWAYS_TOLD)
            return Measure("none", "", 0.0, "The package names none.") if is_asked else None
        is_proven = case.facts.value("repository_proof") == "attested"
        note = (
            "An attestation proves it." if is_proven else "The package says so; nothing proves it."
        )
        return Measure(found, "", 1.0 if is_proven else DECLARED, note, f"https://{found}")


class License(Weighted):
    """1 for licences that SPDX lists, .4 for others, 0 for none although the registry was asked."""

    title = "Licence"
    reads = ("licenses",)
    advice = "Declare a licence by its SPDX identifier."
    version = f"1 {metadata.version('license-expression')}"
    """With each release of the library the list of licences grows."""

    def measure(self, case: Case) -> Measure | None:
        found = case.facts.value("licenses")
        if not isinstance(found, list):
            return None
        told = [each for each in found if isinstance(each, str) and each.strip()]
        if not told:
            return Measure("none", "", 0.0, "The package declares none.")
        is_clear = all(_is_spdx(each) for each in told)
        note = "" if is_clear else "Not all of it is a licence that SPDX lists."
        return Measure(", ".join(told), "", 1.0 if is_clear else UNCLEAR, note)


def _is_spdx(text: str) -> bool:
    """Whether it is an expression of SPDX identifiers (https://spdx.org/licenses)."""
    if len(text) > MAX_CHARACTERS or text.upper() in {"NOASSERTION", "NONE"}:
        return False
    try:
        return not _spdx().validate(text).errors
    except (ExpressionError, ValueError, RecursionError):
        return False
    except (AttributeError, IndexError):  # the library's own, for `MIT/ISC` or `()`
        return False
