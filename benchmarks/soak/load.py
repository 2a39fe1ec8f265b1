"""Run scenarios with parallel clients, and judge the results."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Collection, Mapping

from soak.client import Client, Refused, Scenario
from soak.verdict import Verdict

PAUSE_SECONDS = 0.3
"""Of a client between two scenarios, on average."""
REFUSED_SHARE = 0.01
"""Of all answers, those that may say that there is too much to do."""


class Load:
    """Several clients that run scenarios for a given time, with counts of results and errors.

    :param scenarios: the scenarios, with their relative frequencies.
    """

    def __init__(self, clients: list[Client], scenarios: Mapping[Scenario, int]) -> None:
        self._clients, self._scenarios = clients, scenarios
        self._first: deque[Scenario] = deque()
        self._lock = threading.Lock()
        self._lasted = 0
        self.done: Counter[str] = Counter()
        """By name; with an ending where it was refused or went wrong."""
        self.wrong: Counter[str] = Counter()

    def once(self) -> None:
        """Each scenario one time."""
        for scenario in self._scenarios:
            self._do(self._clients[0], scenario)

    def run(self, seconds: float) -> Counter[str]:
        """Run all clients in parallel, and each scenario at least once, however rare it is.

        :returns: the number of results by name.
        """
        before, self._lasted = self.done.copy(), 0
        self._first.extend(self._scenarios)
        end = time.monotonic() + seconds
        threads = [threading.Thread(target=self._go_on, args=(each, end)) for each in self._clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self._lasted < len(threads):
            self.wrong["a client ended before the load did"] += len(threads) - self._lasted
        return self.done - before

    def _go_on(self, client: Client, end: float) -> None:
        choices, weights = list(self._scenarios), list(self._scenarios.values())
        while time.monotonic() < end:
            try:
                scenario = self._first.popleft()
            except IndexError:
                scenario = client.chance.choices(choices, weights)[0]
            self._do(client, scenario)
            time.sleep(client.chance.uniform(0, 2 * PAUSE_SECONDS))
        with self._lock:
            self._lasted += 1

    def _do(self, client: Client, scenario: Scenario) -> None:
        name, problem = scenario.__name__, ""
        try:
            scenario(client)
        except Refused:
            name += ", refused"
        # All errors count: a cut stream raises urllib3's errors, and a malformed event raises
        # various errors in the scenario.
        except Exception as error:  # noqa: BLE001
            problem = f"{name}: {type(error).__name__} {error}"[:400]
            name += ", wrong"
        with self._lock:
            self.done[name] += 1
            if problem:
                self.wrong[problem] += 1


def judge(
    verdict: Verdict,
    scenarios: Collection[str],
    done: Mapping[str, int],
    answers: int,
    refused: int,
) -> None:
    """Judge whether the service did its work or refused with a valid reason.

    :param done: the results of clients under load, as :attr:`Load.done`.
    :param refused: the number of answers that reported too much load.
    """
    verdict.tell("mixed: answers", answers)
    verdict.at_most(
        "mixed: refused under pressure", share(refused, answers) * 100, REFUSED_SHARE * 100, "%"
    )
    never = [name for name in scenarios if not done.get(name)]
    verdict.nothing("mixed: never completed under load", never)


def share(part: int, whole: int) -> float:
    """Return the share of a part. The share of zero is NaN, which is within no bound."""
    return part / whole if whole else float("nan")
