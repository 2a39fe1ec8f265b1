"""Evaluate expressions and conditions."""
