"""Reports as files for other programs."""

from codeintel.workspaces.proof.exports.csv import csv_text as csv
from codeintel.workspaces.proof.exports.sarif import sarif

__all__ = ["csv", "sarif"]
