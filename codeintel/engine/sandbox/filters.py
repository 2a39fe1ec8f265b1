"""The filters of system calls, under their former path: see :mod:`codeintel.base.confinement`."""

from codeintel.base.confinement.filters import UnknownMachineError, compiled

__all__ = ["UnknownMachineError", "compiled"]
