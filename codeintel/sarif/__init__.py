"""Analyses as SARIF 2.1.0 logs, for tools that show or keep findings. Pure functions."""

from codeintel.sarif.artifacts import Artifact, file_uri
from codeintel.sarif.log import sarif_log
from codeintel.sarif.trees import FileFindings, Tree, path_uri, tree_log

__all__ = [
    "Artifact",
    "FileFindings",
    "Tree",
    "file_uri",
    "path_uri",
    "sarif_log",
    "tree_log",
]
