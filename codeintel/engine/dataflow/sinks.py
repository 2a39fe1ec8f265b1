"""Values that reach places where they do harm."""

from __future__ import annotations

import re

from codeintel.engine.dataflow.core import Hit
from codeintel.engine.dataflow.frame import Frame
from codeintel.engine.dataflow.ir import Call, Expr, Function, Join, Keyed, Name
from codeintel.engine.dataflow.naming import Naming
from codeintel.engine.dataflow.table import Sink
from codeintel.engine.dataflow.tree import Span
from codeintel.engine.dataflow.validators import returned_values
from codeintel.engine.dataflow.values import HARMLESS, Value, join

_LIST_HEADS = ("[", "new String[", "new[]", "new string[", "array(", "(", "{")
_LISTS = frozenset({"List.of", "Arrays.asList", "new ArrayList", "new LinkedList", "new List"})


class Sinks(Naming):
    """Watches the sinks."""

    def _sinks(
        self,
        expr: Call,
        names: tuple[str, str],
        receiver: Value,
        values: list[Value],
        frame: Frame,
    ) -> bool:
        found = False
        sinks = self._table.sink_calls
        for sink in dict.fromkeys(s for name in names if name for s in sinks.find(name)):
            found = True
            text = self._own_text(expr)
            if sink.with_text and not re.search(sink.with_text, text):
                continue
            if sink.without_text and re.search(sink.without_text, text):
                continue
            if sink.receiver:
                self._reach(sink, expr.span, expr.span, receiver)
            position = 0
            for argument, value in zip(expr.args, values, strict=True):
                if argument.keyword is not None:
                    wanted = argument.keyword in sink.keywords
                else:
                    wanted = position in sink.arguments or -1 in sink.arguments
                    position += 1
                    if wanted and sink.keywords:
                        value = self._keys_of(argument.value, sink.keywords, value, frame)
                if (
                    wanted
                    and value
                    and not (sink.no_lists and self._is_list(argument.value, frame))
                ):
                    self._reach(sink, expr.span, argument.value.span, value)
        return found

    def _keys_of(self, expr: Expr, keys: tuple[str, ...], value: Value, frame: Frame) -> Value:
        """What some keys of an object that is written out hold; of anything else, all of it."""
        if isinstance(expr, Name):
            name, kept = expr.id, frame.expr_of(expr.id)
            if isinstance(kept, Keyed):
                return join([frame.read_part(name, f"{name}.{key}") or HARMLESS for key in keys])
        if isinstance(expr, Keyed):
            return join([self._eval(part, frame) for key, part in expr.entries if key in keys])
        return value

    def _reach(self, sink: Sink, call: Span, argument: Span, value: Value) -> None:
        for label in value.values():
            if label.harms(sink.class_):
                key = (sink.class_, call, label.origin)
                known = self.hits.get(key)
                if known is None or len(known.label.steps) > len(label.steps):
                    self.hits[key] = Hit(sink, call, argument, label)

    def _is_list(self, expr: Expr, frame: Frame) -> bool:
        if isinstance(expr, Name):
            kept = frame.expr_of(expr.id)
            if kept is None or isinstance(kept, Name):
                return False
            expr = kept
        head = self.text[expr.span.start : expr.span.start + 12]
        if isinstance(expr, Keyed) and head.startswith("{"):
            return True
        if isinstance(expr, Call):
            own = self._resolve(expr, frame)
            if own is not None and own.span not in self._stack:
                found = returned_values(own)
                return bool(found) and all(
                    not isinstance(each, Name | Call) and self._is_list(each, frame)
                    for each in found
                )
            return self._dotted(expr.callee) in _LISTS
        if isinstance(expr, Join) and not head.startswith(_LIST_HEADS):
            return any(isinstance(e, Join) and self._is_list(e, frame) for e in expr.parts)
        return isinstance(expr, Join)

    def _assigned_sink(
        self, dotted: str, place: Span, value: Value, expr: Expr | None, frame: Frame
    ) -> None:
        for sink in self._table.sink_assigns.find(dotted) if value else ():
            if not (sink.no_lists and expr is not None and self._is_list(expr, frame)):
                self._reach(sink, place, place, value)

    def _returned(self, function: Function, frame: Frame) -> None:
        for pattern, sink in self._table.sink_returns:
            if pattern.search(function.decoration):
                for place, value in frame.returned:
                    self._reach(sink, place, place, value)
