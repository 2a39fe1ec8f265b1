"""The filters of system calls, under their former path: see :mod:`codeintel.confinement`."""

from codeintel.confinement.filters import UnknownMachineError, compiled

__all__ = ["UnknownMachineError", "compiled"]
