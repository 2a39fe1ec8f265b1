"""The support for confinement in the kernel of this machine."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from codeintel.base.confinement import filters, kernel

AUTO, REQUIRED, OFF = "auto", "required", "off"
MODES = (AUTO, REQUIRED, OFF)
_TRUNCATE_ABI = 3


class Extent(StrEnum):
    """The extent to which worker processes are confined. `off` if the operator disabled it."""

    OK = "ok"
    PARTIAL = "partial"
    UNAVAILABLE = "unavailable"
    OFF = "off"


class State(NamedTuple):
    """The kernel's support for confinement.

    :param missing: a phrase for each thing that a worker process can still do.
    :param abi: the version of Landlock; 0 for none.
    :param has_filters: whether system calls are filtered.
    """

    extent: Extent
    missing: tuple[str, ...]
    abi: int
    has_filters: bool


class UnconfinedError(Exception):
    """Confinement is required, but the kernel lacks a part of it. The text names the part."""


def state(mode: str = AUTO) -> State:
    """Return what the kernel supports, by a setting of :data:`MODES`."""
    if mode == OFF:
        return State(Extent.OFF, ("CODEINTEL_CONFINEMENT is off",), 0, has_filters=False)
    abi = kernel.landlock_version()
    has_filters = kernel.has_seccomp() and filters.has_table(kernel.machine())
    missing = []
    if not abi:
        missing.append("read and write the files of the service's user (no Landlock)")
    elif abi < _TRUNCATE_ABI:
        missing.append(f"empty files that it can read (Landlock's ABI is {abi}, 3 is needed)")
    if abi < kernel.SCOPES_ABI:
        missing.append(
            "send signals to processes of the service's user "
            f"(Landlock's ABI is {abi}, 6 is needed)"
        )
    if not has_filters:
        missing.append("use the network and any system call (no seccomp, or none for this machine)")
    if not missing:
        extent = Extent.OK
    else:
        extent = Extent.PARTIAL if abi or has_filters else Extent.UNAVAILABLE
    return State(extent, tuple(missing), abi, has_filters)


def require(mode: str) -> None:
    """Stop the start if confinement is required and the kernel does not support all of it.

    :raises UnconfinedError: names the missing parts.
    """
    if mode != REQUIRED:
        return
    found = state(mode)
    if found.extent is not Extent.OK:
        raise UnconfinedError(
            "CODEINTEL_CONFINEMENT is required, but on this kernel a worker process could "
            f"{'; '.join(found.missing)}. Run it on Linux 6.12 or newer with Landlock and seccomp "
            "enabled, also in the container's own profile, or set CODEINTEL_CONFINEMENT=auto."
        )
