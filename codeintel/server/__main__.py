"""`python -m codeintel.server HOST PORT WORKERS`: gunicorn with gevent.

`codeintel serve` prepares and then becomes this. The standard library is patched before anything
else is imported: what was imported before would keep blocking calls.
"""

# ruff: noqa: E402

from gevent import monkey

monkey.patch_all()

import sys

from codeintel.server.application import run

run(host=sys.argv[1], port=int(sys.argv[2]), workers=int(sys.argv[3]))
