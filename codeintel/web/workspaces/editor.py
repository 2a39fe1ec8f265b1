"""What the editor of a workspace offers beside files: runs over the open one, and their prices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import url_for

from codeintel.base.language_table import LANGUAGES
from codeintel.http.endpoint import services
from codeintel.http.protection.origin import shown_origin
from codeintel.runs.capabilities import RuleQuery
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import visitor
from codeintel.web.playground.view import PlaygroundView, playground_view
from codeintel.web.workspaces.words import PROOF
from codeintel.workspaces.records import Origin, WorkspaceRecord


@dataclass(frozen=True)
class EditorView:
    """`settings` are for the script; `runs` are the tasks, languages and models of the form."""

    settings: Mapping[str, Any]
    runs: PlaygroundView


def editor_view(settings: Mapping[str, Any], session: WorkspaceRecord) -> EditorView:
    """
    :param settings: what the page itself has to say to the script.
    """
    runs = playground_view(
        services().catalogue.capabilities(RuleQuery()),
        {},
        is_signed_in=True,
        origin=shown_origin(),
        available=_available(),
        addresses={"runs": url_for("web.runs") + "/"},
    )
    own = {
        "id": session.id,
        "name": session.name,
        "pushed": _pushed(session),
        "names": {name: title for title, each in LANGUAGES.items() for name in each.files.split()},
        "proof": {state.value: title for state, title in PROOF.items()},
    }
    known = {name: value for name, value in settings.items() if name != "files"}
    return EditorView({**runs.settings, **own, **known}, runs)


def _pushed(session: WorkspaceRecord) -> int:
    """The last revision that an editor or a client pushed; 0 for none."""
    revisions = services().workspaces.revisions(session)
    return next((each.number for each in revisions if each.origin is Origin.PUSH), 0)


def _available() -> int | None:
    caller = visitor()
    return None if caller.unlimited else services().ledger.balance(caller.account_id).available


blueprint.add_app_template_global(editor_view)
