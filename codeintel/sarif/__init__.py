"""Analyses as SARIF 2.1.0 logs, for tools that show or keep findings. Pure functions."""

from codeintel.sarif.artifacts import Artifact, file_uri
from codeintel.sarif.log import sarif_log

__all__ = ["Artifact", "file_uri", "sarif_log"]
