"""Signals of origin: where a package comes from, under what terms, and whose name it has."""

from __future__ import annotations

import re
from functools import cache
from importlib import metadata

from license_expression import (  # type: ignore[import-untyped]
    ExpressionError,
    get_spdx_licensing,
)

from codeintel.contracts import Case, Ecosystem, Measure, Target
from codeintel.trust.names import digest, suspicion
from codeintel_plugins.trust.scorers.weighted import Weight, Weighted, number

UNCLEAR = 0.4
"""For a license that is there and is none of SPDX's."""
MAX_CHARACTERS = 500
_ALWAYS_TOLD = ("attestations", "status")
"""Facts that a registry always has for a package that it lists."""
_IS_NONE = re.compile(r"(?i)^\s*(?:NOASSERTION|NONE)\s*$|LicenseRef-")
"""Of SPDX's own words, but no license of its list: who writes a `LicenseRef-` writes any terms."""
_spdx = cache(get_spdx_licensing)


CAN_ATTEST = frozenset({Ecosystem.NPM, Ecosystem.PYPI})
"""Ecosystems whose attestations a source tells."""
_CAN_PROVE = CAN_ATTEST | {Ecosystem.GOLANG}


class Attestation(Weighted):
    """1 with a verified attestation or SLSA provenance; 0 without; half where one is there and
    could not be verified. Where an ecosystem has no attestations the value is 0 as well: what is
    installed is no better tied to its source for that."""

    title = "Verified provenance"
    reads = ("attestations",)
    advice = "Publish from CI with provenance attestations, which npm and PyPI support."
    version = "2"

    def can_improve(self, target: Target) -> bool:
        return target.ecosystem in CAN_ATTEST

    def measure(self, case: Case) -> Measure | None:
        if case.target.ecosystem not in CAN_ATTEST:
            return Measure("none", "", 0.0, "This ecosystem has no readable attestations.")
        found = case.facts.value("attestations")
        verified = number(found.get("verified")) if isinstance(found, dict) else None
        total = number(found.get("total")) if isinstance(found, dict) else None
        if verified is None or total is None:
            return None
        score = 1.0 if verified > 0 else 0.5 if total > 0 else 0.0
        return Measure(verified, "verified attestations", score)


class SourceRepository(Weighted):
    """1 for a package that names its repository, 0 for one that does not although a registry was
    asked. Whether it is true is for :class:`ProvenRepository`."""

    title = "Source repository"
    reads = ("repository", *_ALWAYS_TOLD)
    advice = "Name the repository in the package."

    def measure(self, case: Case) -> Measure | None:
        found = case.facts.value("repository")
        if isinstance(found, str):
            return Measure(found, "", 1.0, "The package names this repository.", f"https://{found}")
        if any(name in case.facts for name in _ALWAYS_TOLD):
            return Measure("none", "", 0.0, "The package names no repository.")
        return None


class ProvenRepository(Weighted):
    """1 for a repository that an attestation, or Go's module path, ties to the package; 0 for one
    that is only named, or none, also where the ecosystem has nothing that could prove it."""

    title = "Proven repository"
    reads = ("repository_proof", "attestations")
    advice = "Publish with provenance from the repository that the package names."
    version = "2"

    def can_improve(self, target: Target) -> bool:
        return target.ecosystem in _CAN_PROVE

    def measure(self, case: Case) -> Measure | None:
        proof = case.facts.value("repository_proof")
        if proof == "attested":
            return Measure("proven", "", 1.0)
        if case.target.ecosystem not in _CAN_PROVE:
            return Measure("unproven", "", 0.0, "This ecosystem cannot prove a repository.")
        if "attestations" not in case.facts:  # the one upstream that looks into them has not told
            return None
        return Measure("named only" if proof else "none", "", 0.0)


class License(Weighted):
    """1 for licenses that SPDX lists, .4 for others, 0 for none although the registry was asked."""

    title = "License"
    reads = ("licenses",)
    advice = "Declare a license by its SPDX identifier."
    version = f"1 {metadata.version('license-expression')}"
    """With each release of the library the list of licenses grows."""

    def measure(self, case: Case) -> Measure | None:
        found = case.facts.value("licenses")
        if not isinstance(found, list):
            return None
        told = [each for each in found if isinstance(each, str) and each.strip()]
        if not told:
            return Measure("none", "", 0.0, "The package declares no license.")
        is_clear = all(_is_spdx(each) for each in told)
        note = "" if is_clear else "Not all licenses are in the SPDX list."
        return Measure(", ".join(told), "", 1.0 if is_clear else UNCLEAR, note)


def _is_spdx(text: str) -> bool:
    """Return whether the text is an expression of SPDX identifiers (https://spdx.org/licenses)."""
    if len(text) > MAX_CHARACTERS or _IS_NONE.search(text):
        return False
    try:
        return not _spdx().validate(text).errors
    except (ExpressionError, ValueError, RecursionError):
        return False
    except (AttributeError, IndexError):  # the library's own, for `MIT/ISC` or `()`
        return False


class LookalikeName(Weighted):
    """1 less the probability that the name imitates a famous one. Needs no upstream."""

    title = "Distinct name"
    reads = ()
    advice = "Choose a name that is not similar to another package's name."

    def __init__(self, weight: Weight) -> None:
        super().__init__(weight)
        self.version = f"2 {digest()}"

    def measure(self, case: Case) -> Measure | None:
        found = suspicion(case.target.ecosystem, case.target.name)
        if found is None:
            return Measure("none", "", 1.0, "No popular package has a similar name.")
        note = f"Looks like {found.target}: {found.edit.detail}." if found.suspicious else ""
        return Measure(found.target, "", 1.0 - found.probability, note)
