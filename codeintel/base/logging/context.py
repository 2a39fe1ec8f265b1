"""What an entry of the log belongs to: a request, a run, a job.

Greenlets begin without any: what is done for a request in another one is started by :func:`spawn`.
So those that serve everybody, such as the writer's, carry nobody's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import gevent

T = TypeVar("T")
_fields: ContextVar[Mapping[str, str]] = ContextVar("codeintel_log_fields", default={})  # noqa: B039


def fields() -> Mapping[str, str]:
    """The ids of this greenlet, by name: some of `request_id`, `run_id`, `job_id`."""
    return _fields.get()


def begin_request(request_id: str) -> None:
    """From here on it is this request and nothing else: a connection's greenlet serves many."""
    _fields.set({"request_id": request_id})


def bind(**ids: str) -> None:
    """Have these ids in the entries of this greenlet from now on."""
    _fields.set({**_fields.get(), **ids})


@contextmanager
def bound(**ids: str) -> Iterator[None]:
    """Have these ids in the entries within the block."""
    token = _fields.set({**_fields.get(), **ids})
    try:
        yield
    finally:
        _fields.reset(token)


def spawn(work: Callable[..., T], *arguments: Any) -> gevent.Greenlet[..., T]:
    """`gevent.spawn` of work that belongs to what this greenlet works for."""
    import gevent  # commands have entries, too, and no greenlets

    return gevent.spawn(copy_context().run, work, *arguments)
