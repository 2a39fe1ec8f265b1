"""Reports as files: CSV, SARIF and JSON."""
