"""`python -m codeintel.server.job_worker WORKERS [once]`: what `codeintel worker` becomes.

The standard library is patched before anything else is imported: what was imported before would
keep blocking calls.
"""

# ruff: noqa: E402

from codeintel.base.gevent_patch import patch_all

patch_all()

import sys

from codeintel.base import logging as logs
from codeintel.base.confinement.kernel import hide_memory
from codeintel.platform.config import try_settings
from codeintel.platform.jobs.process import run
from codeintel.platform.metrics import exposition
from codeintel.server.opening import Failure, open_app, services_of
from codeintel.server.sampling import Sampler


def main(workers: int, *, once: bool) -> int:
    """Create the application and run its jobs. Return the exit status."""
    logs.configure(try_settings()[0].settings.log_format)
    logs.watch_greenlets()
    hide_memory()
    try:
        with open_app(has_log=True) as app:
            services = services_of(app)
            if services.settings.metrics_port:
                exposition.serve(services.settings)
                Sampler(services).start()
            run(services.jobs, workers, services.settings.drain_timeout, once=once)
    except Failure as failure:
        failure.show()
        return failure.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), once="once" in sys.argv[2:]))
