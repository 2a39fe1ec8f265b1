"""Prepare a pair of programs for the sandbox: what to call, with which values, and the goals."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

from codeintel.engine.sandbox.javascript.annotations import Annotations
from codeintel.engine.sandbox.javascript.doubts import doubts
from codeintel.engine.sandbox.javascript.doubts.tables import keys_of
from codeintel.engine.sandbox.javascript.kinds import Kind
from codeintel.engine.sandbox.javascript.operations import HOLE, NULL, compared
from codeintel.engine.sandbox.javascript.pairs import Pair, Prepared
from codeintel.engine.sandbox.javascript.probes import Probed, Prober
from codeintel.engine.sandbox.javascript.source import (
    Program,
    Unit,
    UnreadableError,
    affected,
    changed,
    read,
    readers,
    text_of,
    walk,
)
from codeintel.engine.sandbox.javascript.tokens import BUILT_IN, operations
from codeintel.engine.sandbox.javascript.uses import Uses

_TOP_THIS = re.compile(r"\bthis\b")
_MAX_POOL = 60
_MAX_TARGETS = 60
_LEAST, _MOST = 400, 1600
_PROPERTIES = ("property_identifier", "shorthand_property_identifier_pattern")
_BUILT_IN_NAMES = frozenset(("length", "prototype", "constructor", "then", "next", *BUILT_IN))
_NAME = re.compile(r"[A-Za-z_$][\w$]{0,99}")
Parameters = list[tuple[str, bool, Kind]]


def prepared(pair: Pair) -> Prepared:
    """Return the pair as it runs in the sandbox."""
    try:
        before = read(pair.before, pair.before_language)
    except (UnreadableError, UnicodeEncodeError) as error:
        return Prepared(refusal=f"The original cannot be run: {_said(error)}.")
    try:
        after = read(pair.after, pair.after_language)
    except (UnreadableError, UnicodeEncodeError) as error:
        return Prepared(refusal=f"The result cannot be run: {_said(error)}.")
    names = changed(before, after)
    annotations = Annotations(pair.before) if pair.before_language == "typescript" else None
    return _Preparation(before, after, names, annotations).prepared()


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, UnreadableError) else "it contains an unpaired surrogate"


class _Preparation:
    def __init__(
        self,
        before: Program,
        after: Program,
        names: set[str],
        annotations: Annotations | None,
    ) -> None:
        self._before = before
        self._after = after
        self._names = names
        self._annotations = annotations
        self._affected = affected((before, after), names)
        self._probed = names | readers((before, after), names)

    def prepared(self) -> Prepared:
        unsettled, families = compared(
            operations(self._before, self._names), operations(self._after, self._names)
        )
        targets = self._targets(needs_holes=HOLE in families)
        if not targets:
            return Prepared(refusal="No function that is affected can be called.")
        typed = all(each["typed"] for each in targets)
        sides = [
            Prober(program, self._probed, families, typed=typed).probed()
            for program in (self._before, self._after)
        ]
        job = {
            "original": _script(self._before, sides[0]),
            "result": _script(self._after, sides[1]),
            "goals": [
                [number, goal.any_of] for number, side in enumerate(sides) for goal in side.goals
            ],
            "shared": {
                "targets": targets,
                "pool": {**self._pool(), "falsy": NULL in families},
                "seed": "codeintel",
            },
        }
        goals = tuple([asdict(goal) for goal in side.goals] for side in sides)
        reasons = doubts(self._before, self._after, self._names, unsettled, typed=typed)
        if not any(goals):
            reasons.append("no function was changed")
        return Prepared(
            job=job,
            goals=goals,  # type: ignore[arg-type]
            doubts=reasons,
            lines=(self._lines(self._before), self._lines(self._after)),
        )

    def _lines(self, program: Program) -> list[tuple[int, int]]:
        units = (program.units[name] for name in sorted(self._probed) if name in program.units)
        return [
            (node.start_point.row + 1, node.end_point.row + 1)
            for unit in units
            if unit.sort in ("function", "method")
            for node in unit.nodes
        ]

    def _targets(self, *, needs_holes: bool) -> list[dict[str, Any]]:
        public = self._before.public
        found: list[dict[str, Any]] = []
        for name, unit in self._before.units.items():
            owner, _, member = name.partition(".")
            if not name or member or owner not in {e.partition(".")[0] for e in self._affected}:
                continue
            if public is not None and name not in public:
                continue
            if name not in self._after.units or not _NAME.fullmatch(name):
                continue
            found += self._target(name, unit)
        for each in found:
            has_arrays = "'array'" in repr((each["given"], each["methods"]))
            each["holes"] = needs_holes and has_arrays and not each["typed"]
        return found[:_MAX_TARGETS]

    def _target(self, name: str, unit: Unit) -> list[dict[str, Any]]:
        methods = {
            key.partition(".")[2]: method
            for key, method in self._before.units.items()
            if key.startswith(f"{name}.")
        }
        if unit.sort == "class" or methods:
            constructor = methods.pop("constructor", unit if unit.function else None)
            everything = {key: each for key, each in methods.items() if each.function is not None}
            if constructor is not None and constructor.function is not None:
                everything["constructor"] = constructor
            used = Uses(self._before).of_class({key: e.nodes[0] for key, e in everything.items()})
            listed = [
                self._method(key, method, used[key])
                for key, method in everything.items()
                if not key.startswith(("_", "#")) and key != "constructor"
            ]
            given = []
            if constructor is not None and "constructor" in used:
                given = self._given(constructor, used["constructor"])
            return [self._described(name, "class", given, listed)]
        if unit.function is not None:
            return [self._described(name, "function", self._given(unit), [], unit)]
        return [self._described(name, "value", [], [])]

    def _described(
        self,
        name: str,
        sort: str,
        given: list[dict[str, Any]],
        methods: list[dict[str, Any]],
        unit: Unit | None = None,
    ) -> dict[str, Any]:
        everything = [*given, *(each for method in methods for each in method["given"])]
        text = text_of(unit.nodes[0]) if unit is not None else ""
        has_no_values = sort == "value" or (not everything and not methods)
        return {
            "name": name,
            "sort": sort,
            "given": given,
            "methods": methods,
            "typed": self._annotations is not None and all(each["typed"] for each in everything),
            "receiver": bool(_TOP_THIS.search(text)) and "class" not in text,
            "least": 30 if has_no_values else _LEAST,
            "most": 60 if has_no_values else _MOST,
        }

    def _method(self, key: str, unit: Unit, used: Parameters) -> dict[str, Any]:
        sort, _, name = key.rpartition(" ")
        function = unit.nodes[0]
        return {
            "name": name,
            "sort": sort or "method",
            "isStatic": any(each.type == "static" for each in function.children),
            "typed": True,
            "given": self._given(unit, used),
        }

    def _given(self, unit: Unit, used: Parameters | None = None) -> list[dict[str, Any]]:
        """Return the kinds of the arguments of a function.

        :param used: what is known from its use, if methods were read together.
        """
        function = unit.function
        if function is None:
            return []
        if used is None:
            used = Uses(self._before).parameters(function)
        annotated = self._annotations.parameters(function) if self._annotations else None
        if annotated is not None and len(annotated) != len(used):
            annotated = None
        kinds: list[Kind] = annotated or [kind for _, _, kind in used]
        optional = _optional(function)
        return [
            {
                "kind": kind,
                "rest": rest,
                "optional": number in optional,
                "typed": annotated is not None or not used,
            }
            for number, (kind, (_, rest, _)) in enumerate(zip(kinds, used, strict=True))
        ]

    def _pool(self) -> dict[str, Any]:
        """Return the constants of the changed code of both programs."""
        numbers: dict[float, None] = {}
        strings: dict[str, None] = {}
        names: dict[str, None] = {}
        has_sort = False
        for program in (self._before, self._after):
            for name in sorted(self._affected):
                unit = program.units.get(name)
                for node in unit.nodes if unit is not None else ():
                    for each in walk(node):
                        if each.type == "number":
                            _add_number(numbers, text_of(each))
                        elif each.type in ("string", "string_fragment"):
                            text = text_of(each)[1:-1] if each.type == "string" else text_of(each)
                            strings.setdefault(_unescaped(text)[:40])
                        elif each.type == "regex_pattern":
                            for part in re.findall(r"[A-Za-z0-9@.:/_-]+", text_of(each)):
                                strings.setdefault(part[:20])
                        elif each.type in ("object", "array"):
                            for key in keys_of(each):
                                strings.setdefault(_unescaped(key)[:40])
                        elif each.type in _PROPERTIES:
                            names.setdefault(text_of(each))
                        has_sort |= each.type == "property_identifier" and "ort" in text_of(each)
        return {
            "numbers": list(numbers)[:_MAX_POOL],
            "strings": [each for each in strings if each][:_MAX_POOL],
            "names": [each for each in names if each not in _BUILT_IN_NAMES][:_MAX_POOL]
            or ["a", "b"],
            "long": has_sort,
        }


def _add_number(numbers: dict[float, None], text: str) -> None:
    try:
        value = float(text.replace("_", "")) if text[:2].lower() != "0x" else int(text, 16)
    except ValueError:
        return
    if abs(value) < 1e15:
        numbers.setdefault(int(value) if value == int(value) else value)


def _unescaped(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")


def _optional(function: Any) -> set[int]:
    """Return the places of the parameters with a default value."""
    listed = function.child_by_field_name("parameters")
    named = [e for e in listed.named_children if e.type != "comment"] if listed else []
    return {number for number, each in enumerate(named) if each.type == "assignment_pattern"}


def _script(program: Program, side: Probed) -> str:
    """Return the text of a script that ends with a function that returns what is defined."""
    names = [name for name in program.units if "." not in name and _NAME.fullmatch(name)]
    cases = "".join(f'case "{name}": return {name};' for name in names)
    begin = '"use strict"; ' if program.is_module else ""
    return (
        f'{begin}{side.text}\n;Object.defineProperty(globalThis, "$codeintel_get", '
        f"{{ value: (name) => {{ switch (name) {{ {cases} }} }} }});"
    )
