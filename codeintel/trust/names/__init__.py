"""Detect whether a package's name imitates a famous one."""

from codeintel.trust.names.detector import suspicion
from codeintel.trust.names.ecosystems import ALIASES, KNOWN, canonical_ecosystem, is_name
from codeintel.trust.names.protected import ProtectedNames
from codeintel.trust.names.shapes import Edit, EditKind, Likeness, ProtectedSuspicion, Suspicion
from codeintel.trust.names.tables import digest

__all__ = [
    "ALIASES",
    "KNOWN",
    "Edit",
    "EditKind",
    "Likeness",
    "ProtectedNames",
    "ProtectedSuspicion",
    "Suspicion",
    "canonical_ecosystem",
    "digest",
    "is_name",
    "suspicion",
]
