"""Do the least that a Flask application under gunicorn can do.

It sends a JSON document of the same size, after requests to three registries for new searches. It
checks no key, limit or parameter, and neither reads nor caches the registries' answers. Otherwise,
it is as efficient as the service: it has pooled connections, parallel requests, and a delayed
garbage collector.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import gevent
import requests
import urllib3
from flask import Flask, Response, request

from search_parts import QUERY

REGISTRIES = os.environ["BARE_REGISTRIES"].split()
"""What codeintel asks of each, without the query."""
DOCUMENT = Path(os.environ["BARE_DOCUMENT"]).read_bytes()
CONNECTIONS = 1_000
SECONDS = 3.0

app = Flask(__name__)
pool = urllib3.PoolManager(maxsize=CONNECTIONS, retries=False)
session = requests.Session()
session.trust_env = False
session.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=CONNECTIONS))
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)


@app.get("/health")
def health() -> str:
    return "ok"


@app.get("/document")
def document() -> Response:
    return Response(DOCUMENT, mimetype="application/json")


@app.get("/urllib3")
def with_urllib3() -> Response:
    return _after(lambda url: pool.request("GET", url, timeout=SECONDS).data)


@app.get("/requests")
def with_requests() -> Response:
    return _after(lambda url: session.get(url, timeout=SECONDS).content)


def _after(fetch: Callable[[str], bytes]) -> Response:
    query = request.args["q"]
    jobs = [gevent.spawn(partial(fetch, url.replace(QUERY, query))) for url in REGISTRIES]
    gevent.joinall(jobs, raise_error=True)
    return document()
