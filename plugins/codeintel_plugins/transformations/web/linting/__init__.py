"""Safe fixes of Oxlint."""
