"""The functions that lower nodes, by kind of node, for all languages except shell and Rust."""

from __future__ import annotations

from collections.abc import Iterable

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.lowering.control_flow import (
    lower_block,
    lower_branch,
    lower_class,
    lower_declare,
    lower_define,
    lower_echo,
    lower_ensure,
    lower_evaluated,
    lower_exit,
    lower_expression,
    lower_leave,
    lower_loop,
    lower_property,
    lower_rescue,
    lower_return,
    lower_try,
    lower_with_item,
    plain_as_statement,
    switch_statement,
)
from codeintel.engine.dataflow.lowering.csharp import conditional_access, initializer
from codeintel.engine.dataflow.lowering.expressions import (
    choice_expression,
    lower_assignment,
    lower_call,
    lower_cast,
    lower_closure,
    lower_comprehension,
    lower_declaration_expression,
    lower_dynamic_variable,
    lower_heredoc,
    lower_identifier,
    lower_include,
    lower_index,
    lower_keyed,
    lower_member,
    lower_object_pattern,
    lower_operation,
    lower_other,
    lower_string,
    lower_tested,
    lower_unary,
)
from codeintel.engine.dataflow.lowering.lowerer import (
    Dialect,
    LowersExpression,
    LowersStatement,
    plain_function,
    plain_params,
)

_UNARY = ("unary_expression", "unary", "unary_operator", "prefix_unary_expression",
          "unary_op_expression", "update_expression")  # fmt: skip
_CASTS = ("cast_expression", "type_conversion_expression", "as_expression")


def expressions(call: LowersExpression) -> dict[str, LowersExpression]:
    """Return the functions that lower expressions.

    :param call: lowers calls.
    """
    order: tuple[tuple[Iterable[str], LowersExpression], ...] = (
        (("dynamic_variable_name",), lower_dynamic_variable),
        (kinds.IDENTIFIERS, lower_identifier),
        (kinds.STRINGS, lower_string),
        (("heredoc_beginning",), lower_heredoc),
        (kinds.INCLUDES, lower_include),
        (kinds.CALLS, call),
        (kinds.MEMBERS, lower_member),
        (kinds.INDEXES, lower_index),
        (kinds.OPERATIONS, lower_operation),
        (kinds.TESTS, lower_tested),
        (_UNARY, lower_unary),
        (kinds.CHOICES, choice_expression),
        (kinds.ASSIGNMENTS, lower_assignment),
        (("initializer_expression",), initializer),
        (kinds.KEYED, lower_keyed),
        (("object_pattern",), lower_object_pattern),
        (kinds.COMPREHENSIONS, lower_comprehension),
        (("conditional_access_expression",), conditional_access),
        (("declaration_expression",), lower_declaration_expression),
        (kinds.CLOSURES, lower_closure),
        (_CASTS, lower_cast),
    )
    table: dict[str, LowersExpression] = {}
    for names, handler in order:
        for name in names:
            table.setdefault(name, handler)
    return table


def statements(loop: LowersStatement, declare: LowersStatement) -> dict[str, LowersStatement]:
    """Return the functions that lower statements.

    :param loop: lowers loops.
    :param declare: lowers declarations.
    """
    return {
        **dict.fromkeys(kinds.BLOCKS, lower_block),
        **dict.fromkeys(kinds.CLASSES, lower_class),
        **dict.fromkeys(kinds.FUNCTIONS, lower_define),
        **dict.fromkeys(kinds.BRANCHES, lower_branch),
        **dict.fromkeys(kinds.LOOPS, loop),
        **dict.fromkeys(kinds.SWITCHES, switch_statement),
        **dict.fromkeys(kinds.RETURNS, lower_return),
        **dict.fromkeys(kinds.LEAVES, lower_leave),
        **dict.fromkeys(kinds.DECLARATORS, declare),
        "try_statement": lower_try,
        "try_with_resources_statement": lower_try,
        "try_expression_statement": lower_try,
        "catch_clause": lower_block,
        "except_clause": lower_block,
        "expression_statement": lower_expression,
        "property_declaration": lower_property,
        "with_item": lower_with_item,
        "as_pattern": lower_with_item,
        "echo_statement": lower_echo,
        "rescue": lower_rescue,
        "ensure": lower_ensure,
        "exit_statement": lower_exit,
        "block": lower_block,
    }


DIALECT = Dialect(
    expressions=expressions(lower_call),
    other=lower_other,
    statements=statements(lower_loop, lower_declare),
    with_field={
        "module": ("body", lower_class),  # Ruby's, not Python's whole file
        "block": ("parameters", lower_evaluated),
        "switch_expression": ("body", switch_statement),  # Java's statement
    },
    function=plain_function,
    params=plain_params,
    as_statement=plain_as_statement,
)
"""The dialect of all languages except shell and Rust."""
