"""Forecasts of package metrics that know their error.

The shapes, the reading of tables and the parent's side of the child process need no numpy; only the
child (:mod:`codeintel.trust.forecasts.child`) imports what computes.
"""
