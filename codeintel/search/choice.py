"""Which sources there are, by what the operator has said."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from codeintel.base.setting_values import SettingError
from codeintel.contracts import SearchSource
from codeintel.platform.config import Settings


def chosen_sources(
    settings: Settings, registered: Mapping[str, SearchSource]
) -> Collection[SearchSource]:
    """All sources, those turned off that the settings name with a `-`.

    :raises SettingError: for a name or a kind that no plugin knows.
    """
    for told in settings.sources:
        name = told.removeprefix("-")
        if name not in registered:
            raise SettingError(
                f"CODEINTEL_SOURCES names {name!r}; there are: {', '.join(sorted(registered))}."
            )
        if told != name:
            registered[name].is_on = False
    kinds = sorted({source.kind for source in registered.values()})
    for entry in settings.source_instances:
        if entry["kind"] not in kinds:
            raise SettingError(
                f"CODEINTEL_SOURCE_INSTANCES has the kind {entry['kind']!r}; there are: "
                f"{', '.join(kinds)}."
            )
        if entry["name"] not in registered:
            raise SettingError(
                f"CODEINTEL_SOURCE_INSTANCES has {entry['name']!r} of the kind {entry['kind']!r}, "
                "whose plugin makes no further instances: have it register one itself."
            )
    return registered.values()
