"""The form that makes a key: as it was sent, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from werkzeug.datastructures import MultiDict

from codeintel.base.errors import ServiceError
from codeintel.base.scopes import Scope
from codeintel.identity.keys.records import DEFAULT_TTL_DAYS, MAX_TTL_DAYS, check_life, checked_name

PRESETS = {7: "7 days", 30: "30 days", 90: "90 days", 365: "1 year"}
CUSTOM = "custom"
FIELDS = {"name": "name", "scopes": "scope-1", "expiry": "expiry-7", "days": "days"}
"""The fields, and the id of the first input of each."""
_DAYS = re.compile(r"\s*\d{1,9}\s*", re.ASCII)
_WHOLE_DAYS = f"Give the days as a whole number from 1 to {MAX_TTL_DAYS:,}, such as 45."


class ScopeChoice(NamedTuple):
    """A scope to tick."""

    id: str
    name: str
    meaning: str
    checked: bool


class ExpiryChoice(NamedTuple):
    """A length of life to choose. `until` is its last day."""

    value: str
    title: str
    until: date
    checked: bool


@dataclass(frozen=True)
class KeyForm:
    """All fields as they were sent, and by field what is wrong.

    `number` is how many keys there were when the form was made: it is good for one more.
    """

    number: int
    name: str = ""
    scopes: Sequence[str] = ()
    expiry: str = str(DEFAULT_TTL_DAYS)
    days: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict)

    @property
    def scope_choices(self) -> list[ScopeChoice]:
        """All scopes."""
        return [
            ScopeChoice(f"scope-{place}", scope, scope.meaning, scope in self.scopes)
            for place, scope in enumerate(Scope, 1)
        ]

    @property
    def expiry_choices(self) -> list[ExpiryChoice]:
        """The lengths that there are besides one's own."""
        today = datetime.now(UTC).date()
        return [
            ExpiryChoice(str(days), title, today + timedelta(days), str(days) == self.expiry)
            for days, title in PRESETS.items()
        ]

    @property
    def is_custom(self) -> bool:
        """Whether the number of days is one's own."""
        return self.expiry == CUSTOM

    @property
    def ttl_days(self) -> int:
        """The length of life that is chosen, where nothing is wrong with it."""
        return int(self.days if self.is_custom else self.expiry)

    @property
    def mistakes(self) -> list[tuple[str, str]]:
        """The id of each field that is wrong, and what is."""
        return [(FIELDS[name], self.wrong[name]) for name in FIELDS if name in self.wrong]

    def again(self, number: int) -> KeyForm:
        """The same to be sent once more."""
        return replace(self, number=number)


def filled(sent: MultiDict[str, str]) -> KeyForm:
    """The form as it was sent."""
    form = KeyForm(
        number=int(sent["number"]) if _DAYS.fullmatch(sent.get("number", "")) else -1,
        name=sent.get("name", ""),
        scopes=tuple(sent.getlist("scopes")),
        expiry=sent.get("expiry", ""),
        days=sent.get("days", ""),
    )
    return replace(form, wrong=dict(_wrong(form)))


def _wrong(form: KeyForm) -> Iterable[tuple[str, str]]:
    if told := _refusal(lambda: checked_name(form.name)):
        yield "name", told
    if not form.scopes:
        yield "scopes", "Tick at least one scope: a key without any could do nothing."
    elif not set(form.scopes) <= set(Scope):
        yield "scopes", "Tick scopes of this list: there are no others."
    if form.is_custom:
        if not _DAYS.fullmatch(form.days) or _refusal(lambda: check_life(int(form.days))):
            yield "days", _WHOLE_DAYS
    elif form.expiry not in map(str, PRESETS):
        yield "expiry", "Choose how long the key is to be valid."


def _refusal(check: Callable[[], object]) -> str:
    """What a check refuses, in its words; empty if it passes."""
    try:
        check()
    except ServiceError as error:
        return error.message
    return ""
