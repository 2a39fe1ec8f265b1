"""The functions that read nodes, by kind of node."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codeintel.engine.symbolic.reading import expressions, functions, statements
from codeintel.engine.symbolic.reading.reader import Reader
from codeintel.engine.symbolic.syntax import Expr

if TYPE_CHECKING:
    from ast_grep_py import SgNode

EXPRESSIONS: dict[str, Callable[[Reader, SgNode], Expr]] = {
    "number_literal": expressions.number,
    "char_literal": expressions.character,
    "string_literal": expressions.string,
    "raw_string_literal": expressions.string,
    "concatenated_string": expressions.string,
    "identifier": expressions.name,
    "field_identifier": expressions.name,
    "type_identifier": expressions.name,
    "qualified_identifier": expressions.qualified,
    "null": expressions.fixed_number,
    "true": expressions.fixed_number,
    "false": expressions.fixed_number,
    "this": expressions.this,
    "unary_expression": expressions.unary,
    "pointer_expression": expressions.pointer,
    "update_expression": expressions.step,
    "binary_expression": expressions.binary,
    "assignment_expression": expressions.assign,
    "field_expression": expressions.field,
    "subscript_expression": expressions.subscript,
    "cast_expression": expressions.cast,
    "sizeof_expression": expressions.sizeof,
    "conditional_expression": expressions.conditional,
    "initializer_list": expressions.initialiser_list,
    "compound_literal_expression": expressions.cast,
    "new_expression": expressions.new,
    "delete_expression": expressions.delete,
    "lambda_expression": functions.read_lambda,
    "gnu_asm_expression": expressions.asm,
    "call_expression": expressions.call,
    "comma_expression": expressions.comma,
    "parenthesized_expression": expressions.inner,
    "condition_clause": expressions.inner,
}
STATEMENTS: dict[str, Callable[[Reader, SgNode], None]] = {
    "compound_statement": statements.block,
    "expression_statement": statements.expression_statement,
    "declaration": functions.declaration,
    "if_statement": statements.if_statement,
    "while_statement": statements.while_statement,
    "do_statement": statements.do_statement,
    "for_statement": statements.for_statement,
    "for_range_loop": statements.range_for_statement,
    "switch_statement": statements.switch_statement,
    "return_statement": statements.return_statement,
    "break_statement": statements.break_statement,
    "continue_statement": statements.continue_statement,
    "goto_statement": statements.goto,
    "labeled_statement": statements.label,
    "throw_statement": statements.throw_statement,
    "try_statement": statements.try_statement,
    "preproc_ifdef": statements.preprocessor_condition,
    "preproc_if": statements.preprocessor_condition,
    "preproc_else": statements.preprocessor_condition,
    "preproc_elif": statements.preprocessor_condition,
    "else_clause": statements.block,
    "function_definition": statements.nothing,
    "preproc_def": statements.nothing,
    "preproc_call": statements.nothing,
    "struct_specifier": statements.defined_type,
    "class_specifier": statements.defined_type,
    "enum_specifier": statements.defined_type,
}
