"""`codeintel config --project`: show the settings of the repository around the current folder."""

from __future__ import annotations

from pathlib import Path

from codeintel.cli import output
from codeintel.cli.scan.policy import PROJECT_FILE, ProjectError, load_project
from codeintel.cli.scan.policy.explaining import rows, schema as project_schema
from codeintel.client.repository.discovery import Selection, locate
from codeintel.client.repository.naming import DiscoveryError
from codeintel.server.opening import Failure

_HEADERS = ("name", "value", "from", "meaning")


def show_project(*, as_json: bool, schema: bool) -> None:
    """Print the settings, or the JSON schema of their file.

    :raises Failure: if a setting is invalid.
    """
    if schema:
        output.write_json(project_schema())
        return
    try:
        root = locate(Selection(), Path.cwd()).root
        config = load_project(root)
    except (DiscoveryError, ProjectError) as error:
        raise Failure(str(error)) from None
    found = list(rows(config))
    if as_json:
        settings = [row._asdict() for row in found]
        output.write_json({"file": str(root / PROJECT_FILE), "settings": settings})
        return
    cells = [row._replace(value=row.value or "-") for row in found]
    output.write(output.table(_HEADERS, cells, output.terminal_width()))
    if not (root / PROJECT_FILE).is_file():
        output.write_line(f"There is no {root / PROJECT_FILE}.", err=True)
