"""What operators can watch: figures for Prometheus.

:mod:`codeintel.platform.metrics.table` names them all. Where something happens one call counts it
there.
"""
