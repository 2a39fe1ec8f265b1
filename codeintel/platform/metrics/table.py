"""All metrics. docs/metrics.md describes them, and a test compares both.

Labels have closed sets of values. No metric is by account, key, address, package or anything else
that a caller can choose.
"""

from __future__ import annotations

from codeintel.base.errors import ErrorCode
from codeintel.contracts import RunKind, SourceProblem
from codeintel.contracts.states import JobState, RunState
from codeintel.platform.metrics.families import OTHER, Counter, Family, Gauge, Histogram

UNMATCHED = "unmatched"
"""Replaces the pattern of an unknown path."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", OTHER})
STATUSES = frozenset({str(number) for number in range(200, 600)}) | {OTHER}
KINDS = frozenset(map(str, RunKind))
PROBLEMS = frozenset(map(str, SourceProblem))
LIMITS = frozenset(
    {
        *("analysis", "transform", "default", "failed_auth", "lookup", "anonymous_lookup"),
        *("search_call", "anonymous_search_call", "scan"),
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

REQUESTS = Counter(
    "codeintel_http_requests_total",
    "Answered requests.",
    route=_ROUTE,
    method=METHODS,
    status=STATUSES,
)
REQUEST_SECONDS = Histogram(
    "codeintel_http_request_duration_seconds",
    "Time until a response starts. Except for streams, it is complete by then.",
    _FAST,
    route=_ROUTE,
    method=METHODS,
)
IN_PROGRESS = Gauge(
    "codeintel_http_requests_in_progress", "Requests whose response has not started yet."
)
ERRORS = Counter(
    "codeintel_errors_total",
    "Error responses, by code.",
    code=frozenset(map(str, ErrorCode)),
)
STREAMS_OPEN = Gauge("codeintel_streams_open", "Event streams that are being sent.")
LIMIT_REFUSALS = Counter(
    "codeintel_limit_refusals_total", "Requests over a rate limit.", limit=LIMITS
)

CONCURRENCY_REFUSALS = Counter(
    "codeintel_concurrency_refusals_total",
    "Requests and connections over a limit of what one caller may have open at a time.",
    what=GAUGES,
)

RUNS = Counter(
    "codeintel_runs_total",
    "Runs that ended in this process.",
    kind=KINDS,
    engine=_ENGINE,
    outcome=frozenset(map(str, RunState)) - {"running"},
)
RUNS_RUNNING = Gauge("codeintel_runs_running", "Active runs.", kind=KINDS, engine=_ENGINE)
RUN_SECONDS = Histogram(
    "codeintel_run_duration_seconds",
    "Time from a run's first event to its last.",
    _SLOW,
    kind=KINDS,
    engine=_ENGINE,
)
RUN_FIRST_EVENT_SECONDS = Histogram(
    "codeintel_run_first_event_seconds",
    "Time from the request for a run to its first event, including the reservation of credits.",
    _FAST,
    kind=KINDS,
)
RUN_FIRST_OUTPUT_SECONDS = Histogram(
    "codeintel_run_first_output_seconds",
    "Time from a run's first event to its first finding or piece of output.",
    _SLOW,
    kind=KINDS,
    engine=_ENGINE,
)
CREDITS_CHARGED = Counter(
    "codeintel_credits_charged_total", "Credits charged for work.", work=PAID_WORK
)
CREDITS_RETURNED = Counter(
    "codeintel_credits_returned_total",
    "Credits that were reserved for work and released.",
    work=PAID_WORK,
)

SEARCHES = Counter(
    "codeintel_searches_total",
    "Searches of one source: new results, cached results, stale results because of a failure, or "
    "the reason for none.",
    source=_SOURCE,
    outcome=PROBLEMS | {"found", "kept", "stale"},
)
UPSTREAM_REQUESTS = Counter(
    "codeintel_upstream_requests_total",
    "Requests to other services. `held_back` requests were not sent, because the upstream is "
    "paused.",
    area=AREAS,
    upstream=_UPSTREAM,
    outcome=PROBLEMS | {"answered", "held_back"},
)
UPSTREAM_SECONDS = Histogram(
    "codeintel_upstream_request_duration_seconds",
    "Time for a request to another service, including waiting for a turn.",
    _FAST,
    area=AREAS,
    upstream=_UPSTREAM,
)
UPSTREAM_LEFT_ALONE = Gauge(
    "codeintel_upstream_left_alone",
    "Processes that do not call an upstream now: its breaker is `open`, about to be tried again "
    "(`half_open`), or its limit is used up (`limited`).",
    area=AREAS,
    upstream=_UPSTREAM,
    state=STANDS,
)
REDIS_LEFT_ALONE = Gauge(
    "codeintel_redis_left_alone", "Processes that work without Redis, because it did not answer."
)
REDIS_FULL = Gauge(
    "codeintel_redis_full", "Processes whose Redis refuses writes because its memory is used up."
)
TRUST_LOOKUPS = Counter(
    "codeintel_trust_lookups_total",
    "Requested packages: a fresh snapshot was `stored`, a new one `collected`, an old one used "
    "(`stale`), no registry knows the package (`unknown`), or the request was `refused`.",
    outcome=frozenset({"stored", "collected", "stale", "unknown", "refused"}),
)

JOB_ATTEMPTS = Counter(
    "codeintel_job_attempts_total",
    "Attempts at background jobs. After `queued`, another attempt follows.",
    kind=_JOB,
    outcome=JOB_ENDS,
)
JOB_SECONDS = Histogram(
    "codeintel_job_attempt_duration_seconds", "Time for an attempt at a job.", _LONG, kind=_JOB
)
JOBS_RUNNING = Gauge("codeintel_jobs_running", "Active background jobs.", kind=_JOB)
JOBS_WAITING = Gauge(
    "codeintel_jobs_waiting",
    "Jobs that are due but have not started, according to the database.",
    mode="livemostrecent",
    kind=_JOB,
)

POOL_SLOTS = Gauge("codeintel_analyzer_slots", "Maximum number of concurrent analyzer processes.")
POOL_BUSY = Gauge("codeintel_analyzer_slots_busy", "Slots for analyzer processes that are in use.")
POOL_WAITING = Gauge("codeintel_analyzer_jobs_waiting", "Pieces of work that wait for a slot.")
POOL_JOBS = Counter(
    "codeintel_analyzer_jobs_total",
    "Pieces of work of analyzer processes. `killed` ones exceeded their time or were no longer "
    "needed. `died` ones ended without a message.",
    work=WORK,
    tool=_TOOL,
    outcome=frozenset({"done", "failed", "killed", "died"}),
)

WRITER_TRANSACTIONS = Counter(
    "codeintel_writer_transactions_total",
    "Write transactions.",
    outcome=frozenset({"committed", "failed", "unreachable"}),
)
WRITER_RETRIES = Counter(
    "codeintel_writer_retries_total",
    "Repeated transactions, after a conflict or because one piece of work had failed.",
)
WRITER_SECONDS = Histogram(
    "codeintel_writer_transaction_duration_seconds",
    "Time for a write transaction, from the request for a connection.",
    _FAST,
)
WRITER_PIECES = Counter(
    "codeintel_writer_pieces_total", "Pieces of work in committed transactions."
)
CONNECTIONS = Gauge(
    "codeintel_database_connections_in_use", "Connections of the pool that are in use."
)

BUILD = Gauge(
    "codeintel_build_info",
    "1, with the versions of the service and of Python.",
    mode="livemax",
    version="version of codeintel",
    python="version of Python",
)
PROCESSES = Gauge("codeintel_processes", "Processes that these metrics cover.")
PROCESS_CPU = Counter("codeintel_process_cpu_seconds_total", "Processor time of all processes.")
PROCESS_MEMORY = Gauge(
    "codeintel_process_resident_memory_bytes", "Resident memory of all processes."
)
PROCESS_FILES = Gauge("codeintel_process_open_fds", "Open file descriptors of all processes.")
PROCESS_MOST_FILES = Gauge(
    "codeintel_process_max_fds",
    "Maximum number of file descriptors of one process.",
    mode="livemin",
)
PROCESS_START = Gauge(
    "codeintel_process_start_time_seconds",
    "When the oldest process started, in seconds since 1970.",
    mode="livemin",
)
LOOP_LAG = Gauge(
    "codeintel_loop_lag_seconds",
    "Delay of the latest timer, in the process with the greatest delay.",
    mode="livemax",
)

TABLE: tuple[Family, ...] = tuple(
    each for each in list(globals().values()) if isinstance(each, Family)
)
"""Every family."""
