"""Reading variables, fields, parts of containers, and sources."""

from __future__ import annotations

from codeintel.engine.dataflow.core import SELVES, labelled
from codeintel.engine.dataflow.frame import Frame
from codeintel.engine.dataflow.ir import Call, Expr, Index, Join, Literal, Member, Name
from codeintel.engine.dataflow.sinks import Sinks
from codeintel.engine.dataflow.table import Source
from codeintel.engine.dataflow.values import HARMLESS, Kind, Step, Value, cleaned, join, of

_TEXTUAL = frozenset({"String", "string", "CharSequence", "string?"})
_NUMBERS = frozenset({"length", "Length", "byteLength"})
_PARSERS = ("urlsplit", "urlparse")
# What is known of one of these parts says nothing of the other, or of the host.
_OF_ADDRESSES = frozenset({"path", "query", "fragment"})
_INERT_KEYS = frozenset(
    [
        "tmp_name",
        "tempfile",
        "DOCUMENT_ROOT",
        "REQUEST_METHOD",
        "REMOTE_ADDR",
        "REQUEST_TIME",
        "REQUEST_TIME_FLOAT",
        "SERVER_ADDR",
        "SERVER_PORT",
        "SERVER_NAME",
        "SERVER_SOFTWARE",
        "SERVER_PROTOCOL",
        "SCRIPT_NAME",
        "SCRIPT_FILENAME",
        "HTTPS",
        "argc",
        "CONTENT_LENGTH",
        "GATEWAY_INTERFACE",
        "rack.input",
        "action_dispatch.request_id",
    ]
)
"""What the server itself puts beside what a request brings."""


class Reading(Sinks):
    """Reads."""

    def _name(self, expr: Name, frame: Frame) -> Value:
        known = frame.read(expr.id)
        if (assigned := frame.expr_of(expr.id)) is not None:
            self.assigned[expr.span] = assigned.span
        if not known and self._is_field(expr.id, frame):
            return self._field(expr.id)
        if known is not None:
            return known
        for source in self._table.names.find(self._program.aliases.get(expr.id, expr.id)):
            return self._read_source(source, expr, frame)
        if (method := self._bare.get(expr.id)) is not None:
            self._called.add(method.name)
            return self._invoke(method, [], expr.span)
        if frame.owner and expr.id in self._readers:
            return self._fields.get(f"@{expr.id}", HARMLESS)
        if frame.owner or expr.id.startswith("@"):
            return self._fields.get(expr.id, HARMLESS)
        return HARMLESS

    def _is_field(self, name: str, frame: Frame) -> bool:
        """Whether a name without `this` stands for a field."""
        return (
            self._program.bare_fields
            and bool(frame.owner)
            and self._module.knows(name)
            and not frame.is_local(name)
        )

    def _field(self, name: str) -> Value:
        """What methods put into a field. What a constructor was given counts if it is text; the
        rest are mostly services."""
        textual = self._module.type_of(name) in _TEXTUAL
        return {
            key: label
            for key, label in self._fields.get(name, HARMLESS).items()
            if textual or label.kind is not Kind.PARAMETER
        }

    def _member(self, expr: Member, frame: Frame) -> Value:
        whole = self._eval(expr.object, frame)
        for source in self._table.names.find(self._dotted(expr)):
            return self._read_source(source, expr, frame)
        if expr.name in _NUMBERS:
            return HARMLESS
        if whole and (classes := self._treats(expr, self._dotted_of_part(expr, frame))):
            return cleaned(whole, classes)
        path = self._path(expr.object)
        if path:
            known = frame.read_part(path, self._path(expr))
            if path in SELVES:
                kept = self._field_exprs.get(expr.name) or self._module.expr_of(expr.name)
                if kept is not None:
                    self.assigned[expr.span] = kept.span
                own = frame.values.get(self._path(expr))
                return own if own is not None else self._fields.get(expr.name, HARMLESS)
            if known is not None:
                alone = expr.name in _OF_ADDRESSES and self._is_parsed(expr.object, frame)
                return self._source_part(path, expr, known, frame, alone)
        return whole

    def _is_parsed(self, whole: Expr, frame: Frame) -> bool:
        """Whether a variable has an address taken apart."""
        kept = frame.expr_of(whole.id) if isinstance(whole, Name) else None
        return isinstance(kept, Call) and self._dotted(kept.callee).endswith(_PARSERS)

    def _index(self, expr: Index, frame: Frame) -> Value:
        for source in self._table.names.find(f"{self._dotted(expr.object)}[]"):
            return self._read_source(source, expr, frame)
        whole = self._eval(expr.object, frame)
        self._eval(expr.key, frame)
        path = self._path(expr.object)
        if isinstance(expr.key, Literal) and expr.key.text in _INERT_KEYS:
            return HARMLESS
        if path and isinstance(expr.key, Literal):
            known = frame.read_part(path, f"{path}[{expr.key.text}]")
            if known is not None and self._is_fixed(expr.object, expr.key, frame):
                return HARMLESS
            if known is not None:
                return self._source_part(path, expr, known, frame)
        return whole

    def _is_fixed(self, whole: Expr, key: Literal, frame: Frame) -> bool:
        """Whether an element of a list that was written out is a constant."""
        kept = frame.expr_of(whole.id) if isinstance(whole, Name) and key.text.isdigit() else None
        if not isinstance(kept, Join) or self.text[kept.span.start] not in "[(":
            return False
        position = int(key.text)
        return position < len(kept.parts) and isinstance(kept.parts[position], Literal)

    def _read_source(self, source: Source, expr: Expr, frame: Frame) -> Value:
        """A source's value; reading it again gives the same, which may have been checked."""
        path = self._path(expr)
        known = frame.read_part("", path) if path else None
        if known is None:
            known = labelled(source, expr.span)
            if path:
                frame.values[path] = known
                self._sourced.add(path)
        return known

    def _called_source(self, source: Source, call: Call, frame: Frame) -> Value:
        """What a source gives when it is called; the same call gives the same again."""
        given = [argument.value for argument in call.args[:1]]
        callee = call.callee
        if not all(isinstance(each, Literal) for each in given) or not isinstance(callee, Member):
            return labelled(source, call.span)
        path = f"{self._dotted(callee)}({''.join(e.text for e in given if isinstance(e, Literal))})"
        known = frame.read_part("", path)
        if known is None:
            known = labelled(source, call.span)
            frame.values[path] = known
        return known

    def _source_part(
        self, whole: str, expr: Expr, value: Value, frame: Frame, alone: bool = False
    ) -> Value:
        """A part of a source's value; to check it says nothing of the other parts."""
        path = self._path(expr)
        if (alone or whole in self._sourced) and not frame.knows(path):
            value = join(
                of(label._replace(origin=expr.span, steps=(Step(expr.span, label.what),)))
                for label in value.values()
            )
            frame.values[path] = value
            self._sourced.add(path)
        return value
