"""Lower syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`."""
