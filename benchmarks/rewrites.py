"""Measure the service's verdicts about right and wrong rewrites by a model.

    python benchmarks/rewrites.py [--corpus DIR ...] [--only LANGUAGE ...] [--execution bubblewrap]
    python benchmarks/rewrites.py --execution bubblewrap --case python-first-page
    python benchmarks/rewrites.py --mutants 200 --seed 7

Starts codeintel over a scripted model on loopback that answers each request with the `after` of a
case. Posts each case over HTTP and counts verdicts. The model is not called a second time, and
results are not cached. With `--mutants`, the cases are functions of Python's standard library with
one change each (see `rewrites_parts/mutants.py`), instead of a corpus. Exits with 1 if the service
claims that a wrong rewrite is proven.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rewrites_parts.cases import Case, read_cases
from rewrites_parts.model import NAME, ScriptedModel, running_model
from rewrites_parts.mutants import mutants
from rewrites_parts.outcomes import Outcome, document, evidence_of, table, times, verdict_of

from codeintel.client import ApiError, Client, ClientError
from codeintel.testing.server import LiveServer

CORPUS = Path(__file__).parent / "rewrites"
PLENTY = "1000000"
BROKEN = frozenset({"run.failed", "run.cancelled", "run.incomplete"})


def settings(model: ScriptedModel, execution: str) -> dict[str, str]:
    """Return the settings of the service."""
    return {
        "CODEINTEL_AI_BASE_URL": model.url,
        "CODEINTEL_AI_MODEL_FLASH": NAME,
        "CODEINTEL_AI_FALLBACK_STATIC": "false",
        "CODEINTEL_AI_REPAIR_ROUNDS": "0",
        "CODEINTEL_AI_RETRIES": "0",
        "CODEINTEL_EXECUTION": execution,
        "CODEINTEL_RESULT_CACHE": "0",
        "CODEINTEL_TIER_LIMITS_FREE": f"{PLENTY},{PLENTY}",
        "CODEINTEL_LIMIT_DEFAULT": f"{PLENTY}/minute",
    }


def judged(client: Client, model: ScriptedModel, case: Case) -> Outcome:
    """Send one case to the service and return the outcome."""
    model.code = case.after
    asked, begin = model.asked, time.monotonic()
    result, error = _result(client, case)
    seconds = time.monotonic() - begin
    if result is None:
        return Outcome(case, "no result", seconds, error)
    if model.asked == asked:
        return Outcome(case, "no result", seconds, "The model was not asked.")
    return Outcome(case, verdict_of(result), seconds, evidence_of(result))


def _result(client: Client, case: Case) -> tuple[dict[str, Any] | None, str]:
    """Return the run's result, or None and the reason why the run has no result."""
    error = "The run had no result."
    try:
        stream = client.transform(
            case.before, case.transformation, language=case.language, target=case.target
        )
        for event in stream:
            if event["type"] == "result":
                return dict(event["result"]), ""
            if event["type"] in BROKEN:
                error = str(event.get("error") or event.get("reason") or event["type"])
    except ApiError as refusal:
        error = f"{refusal.code}: {refusal}"
    except ClientError as broken:
        error = str(broken)
    return None, error


def measure(cases: Iterable[Case], execution: str) -> list[Outcome]:
    """Send all cases to one service, one at a time."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_model() as model,
        LiveServer(Path(folder), workers=1, port=0, **settings(model, execution)) as server,
    ):
        client = Client(server.url, server.make_key("rewrites@example.org", "--unlimited"))
        return [judged(client, model, case) for case in cases]


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", nargs="+", type=Path, default=[CORPUS], metavar="DIR")
    parser.add_argument("--only", nargs="+", metavar="LANGUAGE", help="languages of the originals")
    parser.add_argument("--case", nargs="+", metavar="ID", help="only the cases of these names")
    parser.add_argument("--execution", choices=("off", "bubblewrap"), default="off")
    parser.add_argument("--mutants", type=int, metavar="N", help="N mutants instead of a corpus")
    parser.add_argument("--seed", type=int, default=1, help="of the mutants")
    parser.add_argument("--most", type=int, metavar="N", help="only the first N cases")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all outcomes there")
    parser.add_argument("--list", action="store_true", help="print the outcome of each case")
    return parser.parse_args()


def chosen(options: argparse.Namespace) -> list[Case]:
    """Return the cases that the command line selects."""
    if options.mutants is not None:
        return mutants(options.mutants, options.seed)
    return [
        case
        for case in read_cases(options.corpus)
        if options.only is None or case.language in options.only
        if options.case is None or case.id in options.case
    ]


def main() -> None:
    options = parsed()
    cases = chosen(options)[: options.most]
    if not cases:
        sys.exit("There are no such cases: look at --corpus, --only and --case.")
    outcomes = measure(cases, options.execution)
    print(table(outcomes))
    print(times(outcomes))
    for outcome in outcomes:
        if options.list or outcome.verdict == "no result":
            is_right = "right" if outcome.case.right else "wrong"
            print(f"{outcome.case.id}: {is_right}, {outcome.verdict} ({outcome.evidence})")
    if options.json:
        options.json.write_text(json.dumps(document(outcomes), indent=1) + "\n", encoding="utf-8")
    lies = [outcome for outcome in outcomes if outcome.is_wrongly_proven]
    for lie in lies:
        print(f"wrong, but proven: {lie.case.id} ({lie.evidence}): {lie.case.why}")
    if lies:
        sys.exit(1)


if __name__ == "__main__":
    main()
