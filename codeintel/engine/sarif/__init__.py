"""Render analyses as SARIF 2.1.0 logs, for tools that show or store findings.

All functions are pure.
"""

from codeintel.engine.sarif.artifacts import Artifact, file_uri, path_uri
from codeintel.engine.sarif.log import FileFindings, Tree, sarif_log, tree_log

__all__ = [
    "Artifact",
    "FileFindings",
    "Tree",
    "file_uri",
    "path_uri",
    "sarif_log",
    "tree_log",
]
