"""Canonical keys of queries: two equal keys mean equal queries."""
