"""Scans of repositories: the analysis of many files, and the run that offers it as a service.

`scanner`, `analysis`, `results` and `secrets` need no database and no network.
"""
