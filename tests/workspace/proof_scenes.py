"""Input of the proof loop in tests, and its cost."""

from __future__ import annotations

from proof_work import CLEAN, JAVASCRIPT, PYTHON
from support import User

from codeintel.app import Services

FILES = {
    "/app/run.py": PYTHON,
    "/web/show.js": JAVASCRIPT,
    "/app/clean.py": CLEAN,
    "/notes.xyz": "nothing that anybody knows\n",
    "/web/lib.min.js": "eval(name)\n",
    "/empty.py": "",
}


def balance(services: Services, user: User) -> tuple[int, int]:
    found = services.ledger.balance(user.account.id)
    return found.posted, found.held
