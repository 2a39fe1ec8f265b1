"""The form of `/trust`: one field for one package or several. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.trust.shapes import TrustKind
from codeintel.trust.targets import COMPARED, ENTRY, SEPARATOR, parse_target, refusal
from codeintel.web.trust.addresses import is_address, package_at

FIELD = "packages"
_BETWEEN = re.compile(r"[\s,]+")
_SHOWN = 60
"""Characters of a wrong name that a message repeats."""


@dataclass(frozen=True)
class TrustForm:
    """The field as it was filled in; `message` says what is wrong with it, if anything."""

    packages: str = ""
    message: str = ""

    @property
    def rows(self) -> int:
        """Lines of the field: all that is in it, up to the most that can be compared."""
        return min(COMPARED[1], self.packages.count("\n") + 1)

    def refused(self, error: ServiceError) -> TrustForm:
        """The form with the message at its field."""
        return replace(self, message=_called(error.message, "the field"))


def filled(typed: Mapping[str, str]) -> TrustForm:
    """The form as it was sent, or as whoever wrote the address would have filled it in."""
    if FIELD in typed and "target" not in typed:
        return TrustForm(typed[FIELD])
    return TrustForm("\n".join(_names(typed.get("target", ""))))


def is_about_field(error: ServiceError) -> bool:
    """Whether it is the field that is wrong."""
    return error.code is ErrorCode.INVALID_REQUEST and error.details.get("path") == "target"


def asked(text: str) -> dict[str, str]:
    """The parameters of the address that shows what the field asks for. Addresses of registries'
    pages become the packages that they show.

    :raises ServiceError: `invalid_request` that names the package that is wrong.
    """
    names = [_translated(name) for name in _names(text)]
    if not names:
        raise refusal("Name a package, such as `react` or `pypi:requests`.")
    most = COMPARED[1]
    if len(names) > most:
        raise refusal(f"At most {most} packages can be compared; these are {len(names)}.")
    keys = set()
    for name in names:
        try:
            key = parse_target(name).key
        except ServiceError as error:
            told = _called(error.message, "the name")
            raise refusal(f"`{_cut(name)}`: {told}" if len(names) > 1 else told) from None
        if key in keys:
            raise refusal(f"`{_cut(name)}` is there more than once.")
        keys.add(key)
    return address(names)


def address(names: list[str]) -> dict[str, str]:
    """The parameters for one package, or for the comparison of several."""
    if len(names) == 1:
        return {"target": names[0]}
    entries = (ENTRY + name for name in names)
    return {"kind": TrustKind.COMPARISON.value, "target": SEPARATOR.join(entries)}


def _translated(name: str) -> str:
    found = package_at(name)
    if found is None and is_address(name):
        raise refusal(
            f"`{_cut(name)}` is no address of a package that is known here. Name the package, such "
            "as `pypi:requests`."
        )
    return found or name


def _names(text: str) -> list[str]:
    parts = _BETWEEN.split(text.replace(SEPARATOR, "\n"))
    return [name for part in parts if (name := part.removeprefix(ENTRY))]


def _called(message: str, name: str) -> str:
    """The message, with what people see for the parameter that stands for it."""
    told = message.replace("`target`", name)
    return told[:1].upper() + told[1:]


def _cut(name: str) -> str:
    return name if len(name) <= _SHOWN else name[: _SHOWN - 1] + "…"
