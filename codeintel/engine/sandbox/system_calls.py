"""The table of system calls, under its former path: see :mod:`codeintel.base.confinement`."""

from codeintel.base.confinement.system_calls import AARCH64, NEWEST, SOMETIMES, X86_64, allowed

__all__ = ["AARCH64", "NEWEST", "SOMETIMES", "X86_64", "allowed"]
