"""Starting what is measured: registries, the bare application and codeintel."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import requests
from codeintel_plugins.registries.docker import Docker
from codeintel_plugins.registries.github import GitHub
from codeintel_plugins.registries.npm import Npm
from gateway_parts.cost import children
from gateway_parts.servers import PLENTY, Service, _process, free_port

from codeintel.testing.server import LiveServer
from search_parts import QUERY
from search_parts.load import NUMBER, Question, question
from search_parts.upstream import LIMIT

CACHED, NEW = "cached", "new"
MARK = b'"totalResults":%d' % (3 * LIMIT)
SECONDS = 30


@contextmanager
def registries() -> Iterator[str]:
    """Run registries that answer immediately. Yield their URL."""
    url = f"http://127.0.0.1:{free_port()}"
    with _process(["-m", "search_parts.upstream", url.rpartition(":")[2]], f"{url}/health"):
        yield url


@contextmanager
def codeintel(upstream: str, folder: Path) -> Iterator[list[Service]]:
    """The service over those registries: as it answers callers without a key, and with one."""
    folder.mkdir()
    with LiveServer(
        folder,
        CODEINTEL_GITHUB_URL=upstream,
        CODEINTEL_NPM_REGISTRY=upstream,
        CODEINTEL_DOCKER_URL=upstream,
        CODEINTEL_SEARCH_CACHE="3600",
        CODEINTEL_LIMIT_DEFAULT=f"{PLENTY}/minute",
        CODEINTEL_SEARCH_CALLS=f"{PLENTY}/minute",
        CODEINTEL_SEARCH_CALLS_ANONYMOUS=f"{PLENTY}/minute",
    ) as server:
        key = server.make_key("search@example.org")
        url = f"{server.url}/api/v1/search?q=redis"
        yield [
            Service(
                name,
                {
                    CACHED: question(url, MARK, key=of_caller),
                    NEW: question(f"{url}-{NUMBER.decode()}", MARK, key=of_caller),
                },
                server.worker_pids()[0],
                server.process.pid,
            )
            for name, of_caller in (("codeintel", ""), ("codeintel, key", key))
        ]


@contextmanager
def bare(upstream: str, like: Service, folder: Path) -> Iterator[list[Service]]:
    """The bare application, which sends the very document that codeintel sends."""
    document = folder / "document.json"
    answer = requests.get(like.targets[CACHED].url, timeout=SECONDS)
    document.write_bytes(answer.content)
    asked = (each(each.kind, upstream).request(QUERY, LIMIT) for each in (GitHub, Npm, Docker))
    urls = [f"{upstream}{each.path}?{urlencode(each.parameters)}" for each in asked]
    url = f"http://127.0.0.1:{free_port()}"
    command = ["-m", "gunicorn", "--bind", url.removeprefix("http://"), "--workers", "1"]
    command += ["--worker-class", "gevent", "--keep-alive", "5"]
    command += ["--worker-connections", "2000", "--no-control-socket", "--log-level", "warning"]
    command += ["search_parts.bare:app"]
    environment = {"BARE_REGISTRIES": " ".join(urls), "BARE_DOCUMENT": str(document)}
    with _process(command, f"{url}/health", **environment) as root:
        worker = children(root)[0]
        yield [
            Service("bare, requests", {NEW: _fetching(url, "requests")}, worker, root),
            Service(
                "bare",
                {CACHED: question(f"{url}/document", MARK), NEW: _fetching(url, "urllib3")},
                worker,
                root,
            ),
        ]


def _fetching(url: str, how: str) -> Question:
    return question(f"{url}/{how}?q=redis-{NUMBER.decode()}", MARK)
