"""Calls with the client that openapi-python-client writes: checked by mypy, then run."""

from __future__ import annotations

import json
import os
import sys

from codeintel_api import AuthenticatedClient
from codeintel_api.api.account import account
from codeintel_api.api.analysis import analyze
from codeintel_api.api.runs import runs_read_run
from codeintel_api.api.search import search
from codeintel_api.api.workspaces import workspace_read_file, workspace_sync
from codeintel_api.models.account_response_200 import AccountResponse200
from codeintel_api.models.analyze_request import AnalyzeRequest
from codeintel_api.models.error_envelope import ErrorEnvelope
from codeintel_api.models.runs_read_run_response_200 import RunsReadRunResponse200
from codeintel_api.models.search_response_200 import SearchResponse200
from codeintel_api.models.sync_answer import SyncAnswer
from codeintel_api.models.sync_body import SyncBody
from codeintel_api.models.sync_body_files import SyncBodyFiles

CODE = "import pickle\n\ndef load(data):\n    return pickle.loads(data)\n"
client = AuthenticatedClient(
    base_url=os.environ["CONTRACT_URL"],
    token=os.environ["CONTRACT_KEY"],
    raise_on_unexpected_status=True,
)

owner = account.sync(client=client)
assert isinstance(owner, AccountResponse200)

started = analyze.sync_detailed(client=client, body=AnalyzeRequest(code=CODE, language="python"))
run = runs_read_run.sync(client=client, run_id=started.headers["X-Run-Id"])
assert isinstance(run, RunsReadRunResponse200)

missing = runs_read_run.sync(client=client, run_id="run_0")
assert isinstance(missing, ErrorEnvelope)

found = search.sync(client=client, q="flask")
assert isinstance(found, SearchResponse200)

files = SyncBodyFiles.from_dict({"/main.py": CODE})
stored = workspace_sync.sync(client=client, body=SyncBody(files=files, name="generated"))
assert isinstance(stored, SyncAnswer)
file = workspace_read_file.sync_detailed(
    client=client, workspace_id=stored.session_id, path="main.py"
)

answers = {
    "tier": owner.data.tier.value,
    "state": run.data.state.value,
    "code": missing.error.code.value,
    "unavailable": len(found.data.unavailable),
    "file": file.content.decode(),
}
sys.stdout.write(json.dumps(answers))
