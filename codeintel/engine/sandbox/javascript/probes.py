"""Add probes to the changed code of a program, and say what the calls must meet there.

A probe is a call of a function that the sandbox provides. It returns its argument and counts the
kinds of values. Probes add no lines and do not change the order of evaluation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tree_sitter import Node

from codeintel.engine.sandbox.javascript.goals import NULLS, Goal, null_goals
from codeintel.engine.sandbox.javascript.operations import (
    NAN,
    NULL,
    ORDER,
    TEXT,
    ZERO,
)
from codeintel.engine.sandbox.javascript.places import (
    in_loop_test,
    is_body,
    is_counted,
    is_fixed,
    is_listed,
    is_logic,
    is_statement,
    parameters_of,
)
from codeintel.engine.sandbox.javascript.source import FUNCTIONS, Program, Unit, text_of, walk
from codeintel.engine.sandbox.javascript.tokens import is_condition

_BLOCKS = frozenset({"statement_block", "program"})
_RELATIONAL = frozenset(("<", "<=", ">", ">="))
_NULLISH = frozenset(("null", "undefined"))
_FALSY = frozenset(("0", '""', "''", "false"))
_TESTS = frozenset(("===", "!==", "==", "!="))
_SEARCHES = frozenset(("includes", "indexOf", "has", "get", "set", "add"))
_BODIES = frozenset(("if_statement", "else_clause", "for_statement", "for_in_statement",
                     "while_statement", "do_statement"))  # fmt: skip
_LOOPS = frozenset(("for_statement", "while_statement"))
_EQUAL, _ORDERED = 5, 2
_MET = 3


@dataclass
class Probed:
    """A program with probes, and its goals. Lines are those of the original text."""

    text: str
    goals: list[Goal] = field(default_factory=list)


class Prober:
    """Adds probes to some units of a program.

    :param families: the values that the goals have to include, from :mod:`.operations`.
    :param typed: whether annotations exclude values of other types.
    """

    def __init__(
        self, program: Program, names: Iterable[str], families: set[str], *, typed: bool
    ) -> None:
        self._units = [program.units[name] for name in names if name in program.units]
        self._program = program
        self._families = families
        self._typed = typed
        self._goals: list[Goal] = []
        self._count = 0
        self._unit = ""
        self._parameters: set[str] = set()
        self._rounds: dict[int, int] = {}

    def probed(self) -> Probed:
        """Return the program with probes."""
        pieces, end = [], 0
        data = self._program.text.encode()
        nodes = [(node, unit) for unit in self._units for node in unit.nodes]
        for node, unit in sorted(nodes, key=lambda each: each[0].start_byte):
            if node.start_byte < end:
                continue
            self._enter(unit)
            pieces += [data[end : node.start_byte].decode(), self._text(node)]
            end = node.end_byte
        pieces.append(data[end:].decode())
        return Probed("".join(pieces), self._goals)

    def _enter(self, unit: Unit) -> None:
        self._unit = unit.name
        self._parameters = {
            text_of(name)
            for node in unit.nodes
            for function in walk(node)
            if function.type in FUNCTIONS
            for parameter in parameters_of(function)
            for name in walk(parameter)
            if name.type in ("identifier", "shorthand_property_identifier_pattern")
        }

    def _id(self) -> int:
        self._count += 1
        return self._count

    def _goal(
        self, sort: str, node: Node, number: int, *any_of: tuple[tuple[str, int], ...]
    ) -> None:
        named = tuple(tuple((f"{number} {what}", times) for what, times in each) for each in any_of)
        self._goals.append(Goal(sort, self._unit, node.start_point.row + 1, named))

    def _text(self, node: Node) -> str:
        """Return the text of a node with probes."""
        wrap = getattr(self, f"_in_{node.type}", None)
        text = wrap(node) if wrap is not None else self._inner(node)
        return self._as_operand(node, text) if node.is_named else text

    def _inner(self, node: Node, replaced: dict[int, str] | None = None) -> str:
        """Return the text of a node with probes in its parts.

        :param replaced: texts for some children, by their start.
        """
        if not node.children or node.type in ("string", "regex", "comment"):
            return text_of(node)
        data, pieces, end = node.text or b"", [], node.start_byte
        for child in node.children:
            pieces.append(data[end - node.start_byte : child.start_byte - node.start_byte].decode())
            text = (replaced or {}).get(child.start_byte)
            pieces.append(self._child(node, child) if text is None else text)
            end = child.end_byte
        pieces.append(data[end - node.start_byte :].decode())
        return "".join(pieces)

    def _child(self, node: Node, child: Node) -> str:
        text = self._text(child)
        if node.type in _BLOCKS and child.is_named and is_statement(child):
            is_last = child == node.named_children[-1]
            return f"{self._statement(child)}{text}{self._end(child) if is_last else ''}"
        if node.type in _BODIES and child.is_named and is_body(node, child):
            return self._body(node, child, text)
        if node.type in ("switch_case", "switch_default") and is_listed(node, child):
            return f"{self._statement(child)}{text}"
        is_result = node.type == "arrow_function" and child == node.child_by_field_name("body")
        if is_result and child.type != "statement_block":
            return self._value(child, "line", text)
        if node.type == "return_statement" and child.is_named and child.type != "comment":
            return self._value(child, "end", text)
        return text

    def _end(self, node: Node) -> str:
        """Return a probe for the end of an expression, which may raise an error before."""
        if node.type != "expression_statement":
            return ""
        number = self._id()
        self._goal("end", node, number, (("run", 1),))
        return f";$codeintel_s({number});"

    def _value(self, node: Node, sort: str, text: str) -> str:
        number = self._id()
        self._goal(sort, node, number, (("run", 1),))
        return f"$codeintel_v({number}, ({text}))"

    def _statement(self, node: Node) -> str:
        number = self._id()
        self._goal("line", node, number, (("run", 1),))
        return f"$codeintel_s({number});"

    def _body(self, node: Node, child: Node, text: str) -> str:
        """Return the body of a branch or of a loop as a block."""
        begins = ""
        if node.type in _LOOPS and node.id in self._rounds:
            begins = f"$codeintel_i({self._rounds[node.id]});"
        if child.type == "statement_block":
            return f"{{{begins}{text[1:]}"
        if child.type in ("if_statement", "empty_statement") and not begins:
            return text
        return f"{{{begins}{self._statement(child)}{text}{self._end(child)}}}"

    def _in_for_statement(self, node: Node) -> str:
        return self._loop(node, node.children_by_field_name("condition"))

    def _in_while_statement(self, node: Node) -> str:
        return self._loop(node, node.children_by_field_name("condition"))

    def _loop(self, node: Node, conditions: list[Node]) -> str:
        tests = [each for each in conditions if each.is_named and each.type != "empty_statement"]
        if not tests or tests[0].type == "true" or text_of(tests[0]) in ("(true)", "true"):
            return self._inner(node)
        number = self._id()
        self._rounds[node.id] = number
        if not is_fixed(node):
            wanted = [("several", 1)]
            if not self._tests_emptiness():
                wanted.append(("none", 1))
            self._goal("loop", node, number, tuple(wanted))
        test = tests[0]
        bare = test.named_children[0] if test.type == "parenthesized_expression" else test
        text = f"$codeintel_e({number}, ({self._text(bare)}))"
        if test.type == "parenthesized_expression":
            text = f"({text})"
        elif test.type == "expression_statement":
            text = f"$codeintel_e({number}, ({self._text(test.named_children[0])}));"
        return self._inner(node, {test.start_byte: text})

    def _tests_emptiness(self) -> bool:
        """Return whether a unit tests whether something is empty, so that loops always run."""
        words = b" ".join(self._program.units[self._unit].words)
        return b"length" in words and any(
            each in words
            for each in (b"length === 0", b"length == 0", b"! ", b"length > 0", b"length < ")
        )

    def _in_for_in_statement(self, node: Node) -> str:
        right = node.child_by_field_name("right")
        if right is None or text_of(node.child_by_field_name("operator")) != "of":
            return self._inner(node)
        if any(each.type == "await" for each in node.children):
            return self._inner(node)
        number = self._id()
        wanted = [("several", 1)]
        if not self._tests_emptiness() and right.type != "array":
            wanted.append(("none", 1))
        self._goal("loop", node, number, tuple(wanted), (("unknown", 10),))
        return self._inner(
            node, {right.start_byte: f"$codeintel_o({number}, ({self._text(right)}))"}
        )

    def _in_binary_expression(self, node: Node) -> str:
        operator = text_of(node.child_by_field_name("operator"))
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return self._inner(node)
        if operator in _RELATIONAL:
            return self._relation(node, operator, left, right)
        if operator in ("&&", "||", "??"):
            return self._logic(node, operator, left, right)
        if operator in _TESTS and NULL in self._families:
            for one in (left, right):
                other = right if one == left else left
                if text_of(one) in _NULLISH | _FALSY:
                    probed = self._null_test(other, is_null=text_of(one) in _NULLISH)
                    return self._inner(node, {other.start_byte: probed})
        if operator in ("===", "!==") and NAN in self._families:
            return self._inner(node, {left.start_byte: self._search(left)})
        if operator == "+" and TEXT in self._families:
            replaced = {e.start_byte: self._shown(e) for e in (left, right)}
            return self._inner(node, replaced)
        return self._inner(node)

    def _relation(self, node: Node, operator: str, left: Node, right: Node) -> str:
        number = self._id()
        wanted: list[tuple[str, int]] = [("equal", _EQUAL)]
        counts = is_counted(left, right) or in_loop_test(node)
        if not counts and self._families & {ORDER, ZERO}:
            wanted.append(("unordered", 1))
        if ZERO in self._families and not counts:
            wanted.append(("negative zero", 1))
        sides = ("less", "more") if not counts else ("less", "more", "equal")
        ways = [(*wanted, (each, _ORDERED)) for each in sides]
        self._goal("boundary", node, number, *ways)
        one, other = self._text(left), self._text(right)
        return f'$codeintel_b({number}, "{operator}", ({one}), ({other}))'

    def _logic(self, node: Node, operator: str, left: Node, right: Node) -> str:
        if operator == "??":
            probed = self._null_test(left, is_null=True)
        elif NULL in self._families and not is_condition(node):
            probed = self._null_test(left, is_null=False)
        else:
            probed = self._condition(left)
        replaced = {left.start_byte: probed}
        if is_condition(node) and not is_logic(right):
            replaced[right.start_byte] = self._condition(right)
        return self._inner(node, replaced)

    def _condition(self, node: Node) -> str:
        if node.type in ("true", "false") or (is_logic(node) and node.type != "binary_expression"):
            return self._text(node)
        number = self._id()
        self._goal("branch", node, number, (("true", 1), ("false", 1)))
        return f"$codeintel_c({number}, ({self._text(node)}))"

    def _null_test(self, node: Node, *, is_null: bool) -> str:
        """Return a value with a probe for null, undefined and other values that count as false."""
        number = self._id()
        if NULL not in self._families and is_null:
            met = [((one, 1), (other, 1)) for one in ("truthy", "falsy") for other in NULLS]
            self._goal("branch", node, number, *met)
        elif self._is_local(node):
            self._goal("null", node, number, (("truthy", 1),), (("falsy", 1),))
        else:
            self._goal("null", node, number, *null_goals(is_null=is_null))
        return f"$codeintel_n({number}, ({self._text(node)}))"

    def _is_local(self, node: Node) -> bool:
        """Return whether a value is a variable of the function, which may never be null."""
        return node.type == "identifier" and text_of(node) not in self._parameters

    def _search(self, node: Node) -> str:
        number = self._id()
        strings = (("string", 20), ("number", 0), ("NaN", 0))
        booleans = (("boolean", 10), ("number", 0), ("NaN", 0), ("string", 0))
        self._goal("nan", node, number, (("NaN", 2),), strings, booleans)
        return f"$codeintel_t({number}, ({self._text(node)}))"

    def _shown(self, node: Node) -> str:
        if (
            self._typed
            or self._is_local(node)
            or node.type in ("string", "number", "template_string")
        ):
            return self._text(node)
        if node.type in ("binary_expression", "call_expression"):
            return self._text(node)
        number = self._id()
        self._goal("text", node, number, (("shown", 1),))
        return f"$codeintel_t({number}, ({self._text(node)}))"

    def _in_template_substitution(self, node: Node) -> str:
        inner = node.named_children[0] if node.named_children else None
        if inner is None or TEXT not in self._families:
            return self._inner(node)
        return self._inner(node, {inner.start_byte: self._shown(inner)})

    def _in_member_expression(self, node: Node) -> str:
        return self._chain(node, node.child_by_field_name("object"))

    def _in_subscript_expression(self, node: Node) -> str:
        return self._chain(node, node.child_by_field_name("object"))

    def _chain(self, node: Node, owner: Node | None) -> str:
        """Add a probe before `?.`."""
        has_chain = any(each.type == "optional_chain" for each in node.children)
        if owner is None or not has_chain or NULL not in self._families:
            return self._inner(node)
        return self._inner(node, {owner.start_byte: self._null_test(owner, is_null=True)})

    def _in_call_expression(self, node: Node) -> str:
        function, arguments = (node.child_by_field_name(e) for e in ("function", "arguments"))
        has_chain = any(each.type == "optional_chain" for each in node.children)
        if has_chain and function is not None and function.type == "identifier":
            return self._chain(node, function)
        if NAN not in self._families or function is None or arguments is None:
            return self._inner(node)
        name = text_of(function.child_by_field_name("property"))
        first = arguments.named_children[0] if arguments.named_children else None
        if name not in _SEARCHES or first is None or first.type == "spread_element":
            return self._inner(node)
        listed = self._inner(arguments, {first.start_byte: self._search(first)})
        return self._inner(node, {arguments.start_byte: listed})

    def _in_switch_statement(self, node: Node) -> str:
        value, body = node.child_by_field_name("value"), node.child_by_field_name("body")
        inner = value.named_children[0] if value is not None and value.named_children else None
        if inner is None or value is None or body is None:
            return self._inner(node)
        number = self._id()
        cases = [each for each in body.named_children if each.type == "switch_case"]
        wanted = [
            (f"case {text_of(key).strip(chr(34) + chr(39))}"[:60], 1)
            for each in cases
            if (key := each.child_by_field_name("value")) is not None
            and key.type in ("string", "number")
        ]
        self._goal("branch", node, number, tuple(wanted))
        text = f"($codeintel_w({number}, ({self._text(inner)})))"
        return self._inner(node, {value.start_byte: text})

    def _as_operand(self, node: Node, text: str) -> str:
        """Add a probe to the condition of a branch, and to the operand of `!`."""
        outer = node.parent
        if outer is None or is_logic(node) or node.type == "parenthesized_expression":
            return text
        holder = outer
        while holder.type == "parenthesized_expression" and holder.parent is not None:
            node, holder = holder, holder.parent
        is_test = holder.type in ("if_statement", "ternary_expression", "do_statement") and (
            holder.child_by_field_name("condition") == node
        )
        if not is_test or node.type in ("true", "false"):
            return text
        number = self._id()
        self._goal("branch", node, number, (("true", 1), ("false", 1)))
        return f"$codeintel_c({number}, ({text}))"
