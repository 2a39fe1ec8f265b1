"""The floor: the least that a Flask service under gunicorn can do to pass a model's stream on.

No key, no limit, no credits, nothing stored, no request or answer looked into. What it does, it
does as well as the service: pooled connections, chunks passed on as they come.
"""

from __future__ import annotations

import os

import urllib3
from flask import Flask, Response, request

UPSTREAM = os.environ["RELAY_UPSTREAM"]
CONNECTIONS = 1_000
READ_BYTES = 65_536
HEADERS = {"Content-Type": "application/json", "Accept": "text/event-stream"}

app = Flask(__name__)
pool = urllib3.PoolManager(maxsize=CONNECTIONS, retries=False)


@app.get("/health")
def health() -> str:
    return "ok"


@app.post("/relay")
def relay() -> Response:
    answer = pool.request(
        "POST",
        f"{UPSTREAM}/chat/completions",
        body=request.get_data(),
        headers=HEADERS,
        preload_content=False,
        decode_content=False,
    )
    assert isinstance(answer, urllib3.HTTPResponse)
    # Fewer calls than stream() or read1(), for the same chunks.
    chunks = answer.read_chunked(READ_BYTES, decode_content=False)
    return Response(chunks, status=answer.status, mimetype="text/event-stream")
