"""Lower shell scripts to the form of :mod:`codeintel.engine.dataflow.ir`."""
