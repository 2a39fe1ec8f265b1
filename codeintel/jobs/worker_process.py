"""`python -m codeintel.jobs.worker_process WORKERS [once]`: what `codeintel worker` becomes.

The standard library is patched before anything else is imported: what was imported before would
keep blocking calls.
"""

# ruff: noqa: E402

from gevent import monkey

monkey.patch_all()

import sys

from codeintel import logs
from codeintel.cli.common import Failure, open_app, services_of
from codeintel.jobs.process import run


def main(workers: int, *, once: bool) -> int:
    """Make the application and do its jobs; returns the exit status."""
    logs.configure()
    try:
        with open_app(has_log=True) as app:
            services = services_of(app)
            run(services.jobs, workers, services.settings.drain_timeout, once=once)
    except Failure as failure:
        failure.show()
        return failure.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), once="once" in sys.argv[2:]))
