"""The pages that the service shows to people."""

from __future__ import annotations

from flask import Flask


def register_pages(app: Flask) -> None:
    """Wire all pages: each module adds its own to the one blueprint when it is imported."""
    from codeintel.web import (  # noqa: F401
        bundles,
        site,
        theme,
        untrusted_text as visible,
    )
    from codeintel.web.account import (  # noqa: F401
        activity,
        data as account_data,
        pages as account,
    )
    from codeintel.web.blueprint import blueprint
    from codeintel.web.docs import pages as docs  # noqa: F401
    from codeintel.web.home import pages as home  # noqa: F401
    from codeintel.web.keys import pages as keys  # noqa: F401
    from codeintel.web.login import (  # noqa: F401
        links as signin,
        pages as login,
    )
    from codeintel.web.playground import pages as playground  # noqa: F401
    from codeintel.web.rules import pages as rules  # noqa: F401
    from codeintel.web.runs import pages as runs  # noqa: F401
    from codeintel.web.search import pages as search  # noqa: F401
    from codeintel.web.trust import pages as trust  # noqa: F401
    from codeintel.web.workspaces import (  # noqa: F401
        diff as workspace_diff,
        editor as workspace_editor,
        files as workspace_files,
        history as workspace_history,
        list as workspace_list,
        pages as workspace,
    )
    from codeintel.web.workspaces.reports import (  # noqa: F401
        files as workspace_reports_files,
        pages as workspace_reports,
    )

    app.register_blueprint(blueprint)
