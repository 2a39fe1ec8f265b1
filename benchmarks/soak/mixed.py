"""Run a mixed load for minutes, and check the state of the service after it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from fake_models import running_fake_api
from search_parts.servers import registries

from soak import scenarios, scenarios_account
from soak.client import Client, Scenario
from soak.documented import Documented
from soak.leftovers import check_database, check_files, check_stopped, compare, drain, held
from soak.load import Load, judge
from soak.memory import Sampler, judge_memory
from soak.service import Service, running_service
from soak.verdict import Verdict

FOLDER = Path(__file__).parents[1]
SCENARIOS: dict[Scenario, int] = {
    scenarios.analyze: 12,
    scenarios.analyze_by_model: 4,
    scenarios.transform: 8,
    scenarios.repeat: 3,
    scenarios.resume: 4,
    scenarios.cancel: 3,
    scenarios.cut: 3,
    scenarios.search: 12,
    scenarios.trust: 8,
    scenarios.look_around: 6,
    scenarios_account.mistake: 10,
    scenarios_account.keys: 2,
    scenarios_account.workspace: 3,
}
"""The scenarios, with their relative frequencies."""


def soak_mixed(folder: Path, minutes: float, clients: int, shared: bool, verdict: Verdict) -> None:
    """Run all scenarios for the given number of minutes."""
    with ExitStack() as stack:
        settings = stack.enter_context(_upstreams())
        service = stack.enter_context(
            running_service(folder, shared=shared, workers=2 if shared else 1, **settings)
        )
        documented = Documented(service.url)
        accounts = [service.account(f"client-{number}@example.org") for number in range(3)]
        load = Load(
            [
                Client(service.url, accounts[number % len(accounts)], documented, number)
                for number in range(clients)
            ],
            SCENARIOS,
        )
        load.once()
        stuck = drain(service)
        before = held(service)
        with Sampler(lambda: _processes(service)) as sampler:
            done = load.run(minutes * 60)
        stuck += drain(service)
        after = held(service)
        _tell(verdict, load, done, documented, stuck)
        judge_memory(verdict, sampler.samples, _processes(service), minutes)
        compare(verdict, before, after)
        for line in after.allocated:
            print(line)
        check_files(verdict, service)
        check_database(verdict, service, sum(load.done.values()))
    verdict.nothing("mixed: errors in the log", service.complaints("ERROR", "CRITICAL"))
    check_stopped(verdict, service.temporary)


@contextmanager
def _upstreams() -> Iterator[dict[str, str]]:
    """A model, registries and the trust network's upstreams; gives the settings that name them.
    `flash` has no model to answer, so that the static engine does; `pro` takes four seconds."""
    with ExitStack() as stack:
        model = stack.enter_context(running_fake_api())
        registry = stack.enter_context(registries())
        trust = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", "soak.fake_trust"],
                cwd=FOLDER,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        assert trust.stdin is not None and trust.stdout is not None
        yield {
            "CODEINTEL_AI_BASE_URL": model.url,
            "CODEINTEL_AI_MODEL_FLASH": "limited_for_long",
            "CODEINTEL_AI_MODEL_PRO": "steady",
            "CODEINTEL_NPM_REGISTRY": registry,
            "CODEINTEL_DOCKER_URL": registry,
            "CODEINTEL_SOURCES": "-github",
            "CODEINTEL_RUN_RETENTION": "60",
            "CODEINTEL_RUN_RESUME_GRACE": "3",
            "CODEINTEL_RESULT_CACHE": "30",
            "CODEINTEL_SEARCH_CACHE": "30",
            "CODEINTEL_TRUST_FRESH": "30",
            **json.loads(trust.stdout.readline()),
        }
        trust.stdin.close()


def _processes(service: Service) -> dict[str, list[int]]:
    return {"master": [service.root], "workers": service.workers, "zygotes": service.zygotes}


def _tell(
    verdict: Verdict, load: Load, done: Counter[str], documented: Documented, stuck: list[str]
) -> None:
    for name, count in sorted(load.done.items()):
        verdict.tell(f"mixed: {name}", count)
    names = [scenario.__name__ for scenario in SCENARIOS]
    judge(verdict, names, done, sum(documented.answers.values()), documented.refused)
    verdict.nothing("mixed: went wrong", [f"{e} ({n} times)" for e, n in load.wrong.most_common()])
    undocumented = [f"{e} ({n} times)" for e, n in documented.wrong.most_common()]
    verdict.nothing("mixed: undocumented answers", undocumented)
    verdict.nothing("mixed: stuck", stuck)
