"""Reports as files for other programs."""

from codeintel.workspace.proof.exports_csv import csv_text as csv
from codeintel.workspace.proof.exports_sarif import sarif

__all__ = ["csv", "sarif"]
