"""Metrics for Prometheus, for operators.

:mod:`codeintel.platform.metrics.table` names them all. The code counts each event with one call
where it happens.
"""
