"""The sections of a trust report."""
