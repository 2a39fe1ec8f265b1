"""All figures. docs/metrics.md says the same for people; a test compares.

What labels may be is closed: no figure is by account, key, address, package or anything else that a
caller can choose.
"""

from __future__ import annotations

from codeintel.base.errors import ErrorCode
from codeintel.contracts import RunKind, SourceProblem
from codeintel.contracts.states import JobState, RunState
from codeintel.platform.metrics.families import OTHER, Count, Family, Level, Spread

UNMATCHED = "unmatched"
"""In the place of the pattern of a path that there is not."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", OTHER})
STATUSES = frozenset({str(number) for number in range(200, 600)}) | {OTHER}
KINDS = frozenset(map(str, RunKind))
PROBLEMS = frozenset(map(str, SourceProblem))
LIMITS = frozenset(
    {
        *("analysis", "transform", "default", "failed_auth", "lookup", "anonymous_lookup"),
        *("search_call", "anonymous_search_call"),
    }
)
GAUGES = frozenset({"connections", "streams", "bodies", "body_files"})
AREAS = frozenset({"search", "trust"})
STANDS = frozenset({"open", "half_open", "limited"})
JOB_ENDS = frozenset(map(str, JobState)) - {"running"} | {"lost", "interrupted"}
WORK = frozenset({"analysis", "detection", "rewrite", "comparison", "text"})
PAID_WORK = frozenset({"run", "repository"})
_ROUTE = "pattern of a path, as in `/api/v1/runs/<run_id>`, or `unmatched`"
_ENGINE = "name of an engine"
_SOURCE = "name of a search source"
_UPSTREAM = "name of a search source or of a collector"
_JOB = "kind of a job"
_TOOL = "name of an analyzer, detector, transformation or text function; `checks` for comparisons"

_FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SLOW = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
_LONG = (0.1, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0)

REQUESTS = Count(
    "codeintel_http_requests_total",
    "Requests that were answered.",
    route=_ROUTE,
    method=METHODS,
    status=STATUSES,
)
REQUEST_SECONDS = Spread(
    "codeintel_http_request_duration_seconds",
    "Time until an answer began, which for all but streams is when it was complete.",
    _FAST,
    route=_ROUTE,
    method=METHODS,
)
IN_PROGRESS = Level(
    "codeintel_http_requests_in_progress", "Requests whose answer has not begun yet."
)
ERRORS = Count(
    "codeintel_errors_total",
    "Answers that were errors, by their code.",
    code=frozenset(map(str, ErrorCode)),
)
STREAMS_OPEN = Level("codeintel_streams_open", "Streams of events that are being sent.")
LIMIT_REFUSALS = Count(
    "codeintel_limit_refusals_total", "Requests over a rate limit.", limit=LIMITS
)

CONCURRENCY_REFUSALS = Count(
    "codeintel_concurrency_refusals_total",
    "Requests and connections over a limit of what one caller may have open at once.",
    what=GAUGES,
)

RUNS = Count(
    "codeintel_runs_total",
    "Runs that ended here.",
    kind=KINDS,
    engine=_ENGINE,
    outcome=frozenset(map(str, RunState)) - {"running"},
)
RUNS_RUNNING = Level("codeintel_runs_running", "Runs under way.", kind=KINDS, engine=_ENGINE)
RUN_SECONDS = Spread(
    "codeintel_run_duration_seconds",
    "Time from a run's first event to its last.",
    _SLOW,
    kind=KINDS,
    engine=_ENGINE,
)
RUN_FIRST_EVENT_SECONDS = Spread(
    "codeintel_run_first_event_seconds",
    "Time from the order of a run to its first event, in which its credits are reserved.",
    _FAST,
    kind=KINDS,
)
RUN_FIRST_OUTPUT_SECONDS = Spread(
    "codeintel_run_first_output_seconds",
    "Time from a run's first event to its first finding or piece of output.",
    _SLOW,
    kind=KINDS,
    engine=_ENGINE,
)
CREDITS_CHARGED = Count(
    "codeintel_credits_charged_total", "Credits that work has cost.", work=PAID_WORK
)
CREDITS_RETURNED = Count(
    "codeintel_credits_returned_total",
    "Credits that were reserved for work and given back.",
    work=PAID_WORK,
)

SEARCHES = Count(
    "codeintel_searches_total",
    "Searches of one source: what it found now, what was kept, old results because of a failure, "
    "or why there were none.",
    source=_SOURCE,
    outcome=PROBLEMS | {"found", "kept", "stale"},
)
UPSTREAM_REQUESTS = Count(
    "codeintel_upstream_requests_total",
    "Requests to others' services; `held_back` was not sent, the upstream being left alone.",
    area=AREAS,
    upstream=_UPSTREAM,
    outcome=PROBLEMS | {"answered", "held_back"},
)
UPSTREAM_SECONDS = Spread(
    "codeintel_upstream_request_duration_seconds",
    "Time for a request to another service, waiting for a turn included.",
    _FAST,
    area=AREAS,
    upstream=_UPSTREAM,
)
UPSTREAM_LEFT_ALONE = Level(
    "codeintel_upstream_left_alone",
    "Processes that do not ask an upstream now: its breaker is `open`, about to be tried again "
    "(`half_open`), or its own limit is used up (`limited`).",
    area=AREAS,
    upstream=_UPSTREAM,
    state=STANDS,
)
REDIS_LEFT_ALONE = Level(
    "codeintel_redis_left_alone", "Processes that go on without Redis, which did not answer them."
)
REDIS_FULL = Level(
    "codeintel_redis_full", "Processes whose Redis refuses writes because its memory is used up."
)
TRUST_LOOKUPS = Count(
    "codeintel_trust_lookups_total",
    "Packages that were asked for: a fresh snapshot was `stored`, a new one `collected`, an old "
    "one taken (`stale`), no registry knows it (`unknown`), or it was `refused`.",
    outcome=frozenset({"stored", "collected", "stale", "unknown", "refused"}),
)

JOB_ATTEMPTS = Count(
    "codeintel_job_attempts_total",
    "Attempts at background jobs. After `queued` another one follows.",
    kind=_JOB,
    outcome=JOB_ENDS,
)
JOB_SECONDS = Spread(
    "codeintel_job_attempt_duration_seconds", "Time for an attempt at a job.", _LONG, kind=_JOB
)
JOBS_RUNNING = Level("codeintel_jobs_running", "Jobs that are worked on.", kind=_JOB)
JOBS_WAITING = Level(
    "codeintel_jobs_waiting",
    "Jobs that could begin now, and have not, by the database's account.",
    mode="livemostrecent",
    kind=_JOB,
)

POOL_SLOTS = Level("codeintel_analyzer_slots", "Analyser processes that there may be at once.")
POOL_BUSY = Level("codeintel_analyzer_slots_busy", "Slots for analyzer processes that are taken.")
POOL_WAITING = Level("codeintel_analyzer_jobs_waiting", "Pieces of work that wait for a slot.")
POOL_JOBS = Count(
    "codeintel_analyzer_jobs_total",
    "Pieces of work of analyzer processes: `killed` before they were done, for their time was over "
    "or nobody wanted them any more; `died` without a word.",
    work=WORK,
    tool=_TOOL,
    outcome=frozenset({"done", "failed", "killed", "died"}),
)

WRITER_TRANSACTIONS = Count(
    "codeintel_writer_transactions_total",
    "Transactions that write.",
    outcome=frozenset({"committed", "failed", "unreachable"}),
)
WRITER_RETRIES = Count(
    "codeintel_writer_retries_total",
    "Transactions done again, after a conflict or because one piece of work had failed.",
)
WRITER_SECONDS = Spread(
    "codeintel_writer_transaction_duration_seconds",
    "Time for a transaction that writes, from asking for a connection on.",
    _FAST,
)
WRITER_PIECES = Count(
    "codeintel_writer_pieces_total", "Pieces of work in transactions that were committed."
)
CONNECTIONS = Level(
    "codeintel_database_connections_in_use", "Connections of the pool that are in use."
)

BUILD = Level(
    "codeintel_build_info",
    "1, with the versions of the service and of Python.",
    mode="livemax",
    version="version of codeintel",
    python="version of Python",
)
PROCESSES = Level("codeintel_processes", "Processes of which these are the figures.")
PROCESS_CPU = Count("codeintel_process_cpu_seconds_total", "Time on a processor, all processes'.")
PROCESS_MEMORY = Level(
    "codeintel_process_resident_memory_bytes", "Memory that is resident, all processes'."
)
PROCESS_FILES = Level("codeintel_process_open_fds", "Open file descriptors, all processes'.")
PROCESS_MOST_FILES = Level(
    "codeintel_process_max_fds", "Most file descriptors of one process.", mode="livemin"
)
PROCESS_START = Level(
    "codeintel_process_start_time_seconds",
    "When the process that has run for longest began, in seconds since 1970.",
    mode="livemin",
)
LOOP_LAG = Level(
    "codeintel_loop_lag_seconds",
    "How much later than asked for a timer came last, in the process where it is worst.",
    mode="livemax",
)

TABLE: tuple[Family, ...] = tuple(
    each for each in list(globals().values()) if isinstance(each, Family)
)
"""Every family."""
