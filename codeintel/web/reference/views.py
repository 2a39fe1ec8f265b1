"""The parts of the API reference, ready for its templates."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from codeintel.web.reference.examples import Example
from codeintel.web.reference.inputs import Input
from codeintel.web.schemas.shapes import Row


@dataclass(frozen=True)
class ObjectView:
    """A named object with its own fields, or an event, then named by its type. `used_by` has the
    slugs of operations that return the object."""

    id: str
    name: str
    description: str
    rows: list[Row]
    used_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class AnswerView:
    """A success response. `shape` is a body as text, empty for none. `type` is the type of a body
    without `rows`. `objects` are the objects within the body whose fields are not in `rows`.
    `same_as` is the status of an earlier answer with the same body, whose fields are shown."""

    status: int
    phrase: str
    description: str
    media_type: str
    others: tuple[str, ...]
    rows: list[Row]
    shape: str
    is_run: bool
    objects: list[ObjectView]
    type: str = ""
    same_as: int = 0


@dataclass(frozen=True)
class ErrorView:
    """An error that an operation can return."""

    status: int
    code: str
    meaning: str


@dataclass(frozen=True)
class OperationView:
    """An operation. `session` is true if only a browser's session is a credential. `sample` is the
    body of the examples as JSON, empty without a body."""

    id: str
    slug: str
    tag: str
    method: str
    path: str
    summary: str
    description: str
    authenticated: bool
    session: bool
    public: bool
    parameters: list[Row]
    body: list[Row]
    sample: str
    inputs: tuple[Input, ...]
    examples: tuple[Example, ...]
    answers: list[AnswerView]
    errors: list[ErrorView]
    streams: bool

    @property
    def address(self) -> str:
        """Return the method and the path."""
        return f"{self.method} {self.path}"

    @property
    def anchor(self) -> str:
        """Return the anchor of the operation on the overview."""
        return f"operation-{self.id}"

    @property
    def objects(self) -> list[ObjectView]:
        """Return the objects of all answers, each once."""
        return list(
            {each.name: each for answer in self.answers for each in answer.objects}.values()
        )


@dataclass(frozen=True)
class TagView:
    """Operations that belong together."""

    id: str
    name: str
    description: str
    operations: list[OperationView]


@dataclass(frozen=True)
class Reference:
    """The whole reference. `event_rows` are the fields of every event, and `event_objects` the
    objects in events."""

    title: str
    version: str
    description: str
    tags: list[TagView]
    event_rows: list[Row]
    events: list[ObjectView]
    event_objects: list[ObjectView]
    objects: list[ObjectView]
    headers: list[tuple[str, str]]
    error_example: str
    linked: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def operations(self) -> dict[str, OperationView]:
        """Return the operations by slug, in the order of the navigation."""
        return {each.slug: each for tag in self.tags for each in tag.operations}

    @cached_property
    def named(self) -> dict[str, ObjectView]:
        """Return the objects by name."""
        return {each.name: each for each in self.objects}

    def neighbors(self, slug: str) -> tuple[OperationView | None, OperationView | None]:
        """Return the operations before and after this one."""
        slugs = list(self.operations)
        at = slugs.index(slug)
        before = self.operations[slugs[at - 1]] if at else None
        after = self.operations[slugs[at + 1]] if at + 1 < len(slugs) else None
        return before, after


def slug_of(operation_id: str) -> str:
    """Return an operation's part of the address, such as `api-keys-list` for `apiKeysList`."""
    return slug(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", operation_id))


def slug(text: str) -> str:
    """Return a text as part of an address."""
    return re.sub(r"[^0-9a-z]+", "-", text.lower()).strip("-")
