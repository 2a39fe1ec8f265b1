"""The form of `/search`, filled with what was typed. What may be typed is for the API to say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from werkzeug.datastructures import MultiDict

from codeintel.base.errors import ServiceError
from codeintel.contracts import SearchSource, Visibility
from codeintel.identity.auth.caller import Caller
from codeintel.search.service import DEFAULT
from codeintel.search.shapes import MAX_LIMIT, SearchQuery

LIMITS = (str(SearchQuery("-").limit), "20", str(MAX_LIMIT))
FORM = "form"
"""The field that says that the form was sent, for boxes that nobody ticked leave no trace."""
_FIELDS = {"q": "The query", "sources": "The choice of registries", "limit": "The number"}
"""What messages call the fields."""


@dataclass(frozen=True)
class Choice:
    """A registry to tick. `is_private` if its results are not for whoever looks at the page."""

    name: str
    title: str
    checked: bool
    is_private: bool


@dataclass(frozen=True)
class SearchForm:
    """All fields. `wrong` names the one that is refused, if any, and `message` says why."""

    q: str
    choices: tuple[Choice, ...]
    limit: str
    limits: tuple[str, ...]
    wrong: str = ""
    message: str = ""

    @property
    def chosen(self) -> str:
        """What is chosen besides the query, in words."""
        ticked = ", ".join(each.title for each in self.choices if each.checked)
        return f"{ticked or 'No registry'}, {self.limit} of each"

    def refused(self, error: ServiceError) -> SearchForm:
        """The form with the message at its field."""
        path = error.details.get("path")
        wrong = path if path in _FIELDS else "q"
        message = error.message.replace(f"`{wrong}`", _FIELDS[wrong], 1)
        return replace(self, wrong=wrong, message=message)


def filled(
    typed: MultiDict[str, str],
    sources: Iterable[SearchSource],
    titles: Mapping[str, str],
    caller: Caller,
) -> SearchForm:
    """The form as it was sent."""
    given = typed.getlist("sources")
    ticked = {name.strip() for item in given for name in item.split(",")}
    if not given and FORM not in typed:
        ticked = {*DEFAULT}
    limit = typed.get("limit", LIMITS[0])
    return SearchForm(
        q=typed.get("q", ""),
        choices=tuple(
            Choice(
                name=source.name,
                title=titles[source.name],
                checked=source.name in ticked,
                is_private=caller.is_anonymous and source.visibility is Visibility.ACCOUNTS,
            )
            for source in sources
            if source.is_on
        ),
        limit=limit,
        limits=LIMITS if limit in LIMITS else (limit, *LIMITS),
    )
