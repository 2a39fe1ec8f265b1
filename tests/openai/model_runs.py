"""Analyses by models of the fake API, and what they cost, for tests to import."""

from __future__ import annotations

from typing import Any

from fake_models import FakeApi
from flask import Flask
from scripted_runs import decode
from support import make_user

from codeintel.contracts import Model
from codeintel.identity.ledger import ANALYSIS, ANALYSIS_LEAST, LONG_CODE_SURCHARGE
from codeintel.platform.db.models import new_id

CODE = "import os\ndef run(name):\n    os.system(name)\n"
LONG_CODE = CODE + "# more\n" * 3_000
WORDS = "".join(f"word{number} " for number in range(20))
PRICE, FULL, LEAST = 1, ANALYSIS[Model.PRO] + LONG_CODE_SURCHARGE, ANALYSIS_LEAST


class Analysis:
    """One analysis by a model of the fake API, and what it cost."""

    def __init__(self, app: Flask, **body: str) -> None:
        services = app.extensions["codeintel"]
        user = make_user(services, f"{new_id('user')}@example.org")
        answer = app.test_client().post(
            "/api/v1/analyze/stream",
            json={"code": CODE, "language": "python", **body},
            headers=user.headers,
        )
        self.events = decode(answer.data)
        balance = services.ledger.balance(user.account.id)
        self.charged = 100 - balance.posted
        self.held = balance.held

    @property
    def last(self) -> dict[str, Any]:
        return self.events[-1]

    @property
    def text(self) -> str:
        return "".join(each["text"] for each in self.events if each["type"] == "output.delta")

    @property
    def notes(self) -> list[str]:
        return [each["message"] for each in self.events if each["type"] == "progress"]

    @property
    def result(self) -> dict[str, Any]:
        [found] = [each["result"] for each in self.events if each["type"] == "result"]
        return dict(found)


def asked_tokens(api: FakeApi) -> int:
    """Return the approximate number of tokens of the last conversation, with the instructions
    around the code."""
    messages = api.stats()["last"]["body"]["messages"]
    return -(-sum(len(each["content"]) for each in messages) // 4)
