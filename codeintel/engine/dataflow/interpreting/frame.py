"""What a function knows of its variables while it is gone through."""

from __future__ import annotations

from codeintel.engine.dataflow.ir import Expr
from codeintel.engine.dataflow.tree import Span
from codeintel.engine.dataflow.values import Value, cleaned_of, join


class Frame:
    """Variables and their values. Parts of a variable, such as `a.b` or `a[k]`, have a value of
    their own under a longer name, so that one key of a container does not stain another.

    :param outer: the frame around a closure, whose variables it sees.
    """

    def __init__(
        self, owner: str = "", outer: Frame | None = None, *, is_closure: bool = False
    ) -> None:
        self.owner = owner
        self.outer = outer
        self.is_closure = is_closure
        """Whether assignments may be to the variables around it."""
        self.holds_fields = False
        """Whether its variables are fields that methods name without their object."""
        self.values: dict[str, Value] = {}
        self.parts: dict[str, set[str]] = {}
        self.exprs: dict[str, Expr] = {}
        """What was last assigned to a variable: a condition may have been kept in one."""
        self.types: dict[str, str] = {}
        self.returned: list[tuple[Span, Value]] = []
        """The values that are returned, each with the place of its statement."""
        self.rows: list[list[Value]] = []
        """For each return the values of the parts, if several are returned at once."""

    def fork(self) -> Frame:
        """The same frame for one of two ways; what is returned on either counts."""
        twin = Frame(self.owner, self.outer, is_closure=self.is_closure)
        twin.values, twin.exprs = dict(self.values), dict(self.exprs)
        twin.parts = {name: set(parts) for name, parts in self.parts.items()}
        twin.types, twin.returned, twin.rows = self.types, self.returned, self.rows
        twin.holds_fields = self.holds_fields
        return twin

    def become(self, other: Frame) -> None:
        """Go on as the other way left it."""
        self.values, self.parts, self.exprs = other.values, other.parts, other.exprs

    def merge(self, one: Frame, other: Frame) -> None:
        """Go on after two ways: a variable has what it has on either."""
        if one.values is not other.values:
            for name in other.values.keys() | one.values.keys():
                first, second = one.values.get(name), other.values.get(name)
                if first != second:
                    one.values[name] = join((first or {}, second or {}))
            for name, parts in other.parts.items():
                one.parts.setdefault(name, set()).update(parts)
            one.exprs.update(other.exprs)
        self.become(one)

    def knows(self, name: str) -> bool:
        """Whether the variable is one of this function, or of those around it."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.values:
                return True
            frame = frame.outer
        return False

    def is_local(self, name: str) -> bool:
        """Whether the variable is one of a function, not of the whole file."""
        frame: Frame | None = self
        while frame is not None and frame.outer is not None:
            if name in frame.values:
                return True
            frame = frame.outer
        return False

    def is_outer(self, name: str) -> bool:
        """Whether the variable is only one of the functions around this."""
        return name not in self.values and self.outer is not None and self.outer.knows(name)

    def read(self, name: str) -> Value | None:
        """A variable's value with all its parts, or None if it is not known here."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.values or name in frame.parts:
                value = frame.values.get(name, {})
                parts = frame.parts.get(name)
                if not parts:
                    return value
                return join((value, *(frame.values.get(part, {}) for part in sorted(parts))))
            frame = frame.outer
        return None

    def read_part(self, whole: str, part: str) -> Value | None:
        """The value of a part; of one that nobody set, that of the whole without its set parts."""
        frame: Frame | None = self
        while frame is not None:
            if part in frame.values:
                return frame.values[part]
            if whole in frame.values or whole in frame.parts:
                return frame.values.get(whole, {})
            frame = frame.outer
        return None

    def write(self, name: str, value: Value, expr: Expr | None = None) -> None:
        """Set a variable, which forgets its parts."""
        self.values[name] = value
        for part in self.parts.pop(name, ()):
            self.values.pop(part, None)
        if expr is not None:
            self.exprs[name] = expr
        else:
            self.exprs.pop(name, None)

    def write_part(self, whole: str, part: str, value: Value) -> None:
        """Set a part of a variable."""
        home = self._home(whole)
        home.values[part] = value
        home.parts.setdefault(whole, set()).add(part)

    def add(self, name: str, value: Value) -> None:
        """Let a variable have a value besides what it has."""
        if value:
            home = self._home(name)
            home.values[name] = join((home.values.get(name, {}), value))

    def expr_of(self, name: str) -> Expr | None:
        """What a variable was last assigned."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.exprs:
                return frame.exprs[name]
            if name in frame.values:
                return None
            frame = frame.outer
        return None

    def type_of(self, name: str) -> str:
        """A variable's declared type, or nothing."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.types:
                return frame.types[name]
            frame = frame.outer
        return ""

    def clean(self, known: frozenset[Span], classes: frozenset[str]) -> None:
        """Note that values from some origins were checked."""
        if not known:
            return
        frame: Frame | None = self
        own = True
        while frame is not None:
            for name, value in list(frame.values.items()):
                good = cleaned_of(value, known, classes) if value else value
                if own or frame.holds_fields:
                    frame.values[name] = good
                elif good is not value:  # only here: whoever called may not have asked
                    self.values.setdefault(name, good)
            own = own and frame.is_closure
            frame = frame.outer

    def _home(self, name: str) -> Frame:
        frame: Frame | None = self
        while frame is not None:
            if name in frame.values or name in frame.parts:
                return frame
            frame = frame.outer
        return self
