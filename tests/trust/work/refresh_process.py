"""`python refresh_process.py [once]`: a worker process that leaves out what follows a refresh."""

# ruff: noqa: E402

from gevent import monkey

monkey.patch_all()

import sys

from codeintel import create_app
from codeintel.base import logging as logs
from codeintel.platform.jobs.process import run

if __name__ == "__main__":
    logs.configure()
    app = create_app()
    services = app.extensions["codeintel"]
    services.trust.work._jobs = None
    with app.app_context():
        run(services.jobs, 1, 10, once="once" in sys.argv)
