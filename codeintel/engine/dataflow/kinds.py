"""The kinds of tree-sitter nodes by meaning, and helper functions for nodes.

The grammars mostly agree on the names of kinds, so one table serves all languages. The names are
those of the grammars that ast-grep bundles.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


IDENTIFIERS = _words(
    """
    identifier variable_name property_identifier shorthand_property_identifier this self super
    constant instance_variable global_variable class_variable name type_identifier
    field_identifier simple_identifier this_expression base_expression namespace_identifier
    package_identifier shorthand_property_identifier_pattern private_property_identifier
    qualified_name scoped_identifier qualified_identifier scoped_type_identifier generic_name
    self_expression relative_scope variable dynamic_variable_name shorthand_field_identifier
    """
)

# Text is a literal unless a part of it is an expression.
STRINGS = _words(
    """
    string template_string string_literal raw_string_literal interpreted_string_literal
    encapsed_string heredoc heredoc_body nowdoc concatenated_string
    interpolated_string_expression interpolated_verbatim_string_expression char_literal
    character_literal verbatim_string_literal string_array bare_string chained_string
    shell_command_expression subshell regex
    """
)
INTERPOLATIONS = _words(
    """
    interpolation template_substitution variable_name member_access_expression
    subscript_expression dynamic_variable_name string template_string heredoc_body
    string_literal encapsed_string raw_string_literal concatenated_string simple_interpolation
    expression member_call_expression function_call_expression binary_expression
    """
)
TEXT_PARTS = _words(
    """
    string_content string_fragment string_start string_end escape_sequence string_value
    heredoc_start heredoc_end heredoc_content interpolation_start interpolation_quote
    string_literal_content raw_string_literal_content interpolated_string_text
    interpreted_string_literal_content character interpolation_brace heredoc_beginning
    interpolation_format_clause interpolation_alignment_clause type_conversion format_specifier
    regex_pattern regex_flags nowdoc_body nowdoc_string raw_string_content
    """
)

CALLS = _words(
    """
    call call_expression method_invocation new_expression object_creation_expression
    function_call_expression member_call_expression scoped_call_expression
    nullsafe_member_call_expression invocation_expression macro_invocation
    implicit_object_creation_expression method_call command_call explicit_constructor_invocation
    print_intrinsic
    """
)
CALLEE_FIELDS = ("function", "constructor", "macro", "type", "method")
RECEIVER_FIELDS = ("object", "receiver", "scope")

INCLUDES = _words(
    """
    include_expression include_once_expression require_expression require_once_expression
    """
)

MEMBERS: dict[str, tuple[str, str]] = {
    "attribute": ("object", "attribute"),
    "member_expression": ("object", "property"),
    "field_access": ("object", "field"),
    "selector_expression": ("operand", "field"),
    "member_access_expression": ("object", "name"),
    "nullsafe_member_access_expression": ("object", "name"),
    "scoped_property_access_expression": ("scope", "name"),
    "class_constant_access_expression": ("", ""),
    "field_expression": ("value", "field"),
    "scope_resolution": ("scope", "name"),
    "method_reference": ("", ""),
}
INDEXES = _words(
    """
    subscript subscript_expression array_access index_expression element_reference
    element_access_expression slice_expression
    """
)
INDEXED_FIELDS = ("value", "object", "array", "operand", "argument", "expression")
KEY_FIELDS = ("subscript", "index", "indices", "subscript_argument_list")

KEYED = _words(
    """
    dictionary object hash array_creation_expression literal_value object_literal
    initializer_expression initializer_list array list tuple set array_initializer
    composite_literal struct_expression anonymous_object_creation_expression array_expression
    field_initializer_list implicit_array_creation_expression
    """
)
PAIRS = _words(
    """
    pair keyed_element array_element_initializer field_initializer initializer_pair
    member_declarator assignment_expression_in_initializer
    """
)

CHOICES = _words(
    """
    conditional_expression ternary_expression conditional if_expression switch_expression
    """
)
TESTS = _words(
    """
    comparison_operator not_operator instanceof_expression is_expression is_pattern_expression
    sizeof_expression typeof_expression defined instance_expression
    """
)
OPERATIONS = _words(
    """
    binary_expression binary binary_operator boolean_operator logical_expression
    """
)
COMPARING = _words(
    """
    == != === !== < > <= >= <=> in instanceof is not && || and or =~ !~ - / ** & ^ >> is-not
    not-in
    """
)
CHOOSING = frozenset({"||", "or", "??", "?:", "//"})
UNARY_TESTS = frozenset({"!", "not", "-", "+", "~", "++", "--", "typeof", "delete", "sizeof"})

COMPREHENSIONS = _words(
    """
    list_comprehension set_comprehension dictionary_comprehension generator_expression
    """
)
CLOSURES = _words(
    """
    lambda arrow_function function_expression function func_literal lambda_expression
    anonymous_function anonymous_function_creation_expression closure_expression do_block block
    generator_function anonymous_method_expression
    """
)
FUNCTIONS = _words(
    """
    function_definition function_declaration method_declaration constructor_declaration
    method_definition method singleton_method function_item local_function_statement
    generator_function_declaration compact_constructor_declaration
    """
)
CLASSES = _words(
    """
    class_definition class_declaration class interface_declaration enum_declaration
    record_declaration struct_declaration impl_item class_specifier struct_specifier
    trait_declaration abstract_class_declaration trait_item object_declaration
    """
)
ASSIGNMENTS = _words(
    """
    assignment assignment_expression augmented_assignment augmented_assignment_expression
    operator_assignment named_expression compound_assignment_expr
    reference_assignment_expression assignment_statement
    """
)
DECLARATORS = _words(
    """
    variable_declarator init_declarator var_spec const_spec short_var_declaration
    let_declaration const_item static_item resource property_element const_element
    field_definition public_field_definition static_variable_declaration
    """
)
BLOCKS = _words(
    """
    module program source_file translation_unit compilation_unit block statement_block
    body_statement compound_statement class_body declaration_list interface_body enum_body
    else_clause finally_clause constructor_body begin ensure then else do statement_list
    field_declaration_list namespace_definition namespace_declaration
    file_scoped_namespace_declaration enum_body_declarations decorated_definition
    lexical_declaration variable_declaration local_variable_declaration field_declaration
    local_declaration_statement declaration const_declaration var_declaration export_statement
    labeled_statement switch_block switch_body switch_case switch_default
    switch_block_statement_group case_statement default_statement expression_case default_case
    communication_case type_case linkage_specification preproc_ifdef preproc_if preproc_else
    global_statement using_statement lock_statement synchronized_statement unsafe_statement
    checked_statement with_statement with_clause resource_specification var_spec_list
    property_declaration declaration_expression mod_item unsafe_block async_block case_clause
    match_block match_arm switch_section when static_initializer rescue else_if_clause_body
    template_declaration function_static_declaration accessor_list attribute_declaration
    switch_rule const_statement global_declaration class_static_block colon_block block_body
    """
)
BRANCHES = _words(
    """
    if_statement if unless elif_clause elsif else_if_clause if_modifier unless_modifier
    if_let_expression guard
    """
)
LOOPS = _words(
    """
    for_statement for_in_statement enhanced_for_statement foreach_statement while_statement
    do_statement while until for for_expression while_expression loop_expression for_range_loop
    while_modifier until_modifier for_each_statement
    """
)
SWITCHES = _words(
    """
    switch_statement expression_switch_statement case match_statement match_expression
    type_switch_statement select_statement
    """
)
RETURNS = _words(
    """
    return_statement return return_expression yield_statement
    """
)
LEAVES = _words(
    """
    raise_statement throw_statement break_statement continue_statement goto_statement break next
    redo exit_statement throw_expression break_expression continue_expression
    throw_expression_statement
    """
)
IGNORED = _words(
    """
    comment line_comment block_comment import_statement import_from_statement import_declaration
    package_declaration use_declaration using_directive namespace_use_declaration php_tag
    text_interpolation php_end_tag preproc_include preproc_def preproc_function_def
    type_annotation type_parameters type_arguments pass_statement type_alias_declaration
    interface_declaration_ts decorator modifiers marker_annotation annotation attribute_list
    attribute_item type_definition empty_statement future_import_statement package_clause
    heredoc_body
    """
)
EXIT_CALLS = _words(
    """
    abort exit die _exit quit process.exit sys.exit os._exit os.Exit System.exit log.Fatal
    log.Fatalf log.Fatalln panic std.process.exit process.exit! panic! Environment.Exit exit!
    halt redirect_to_and_halt flask.abort bottle.abort quart.abort werkzeug.exceptions.abort
    sanic.exceptions.abort parser.error ctx.fail ctx.exit raise bail! unreachable! todo! app.abort
    """
)


_QUOTES = "\"'`"
_PREFIXES = re.compile(r"\A(?:[bBrRuUfF]{1,2}|\$@?|@\$?|[LuU]8?)(?=[\"'`])")


def field_of(node: SgNode, *names: str) -> SgNode | None:
    """Return the first of several fields that the node has, or None."""
    for name in names:
        found = node.field(name)
        if found is not None:
            return found
    return None


def child_of(node: SgNode, *wanted: str) -> SgNode | None:
    """Return the first named child of some kinds, or None."""
    return next((child for child in node.named_children() if child.kind() in wanted), None)


def operator_of(node: SgNode) -> str:
    """Return the sign or the words of an operation."""
    found = node.field("operator")
    if found is not None:
        return found.text()
    words = [child.text() for child in node.children() if not child.is_named()]
    return "-".join(words) if len(words) > 1 else (words[0] if words else "")


def dotted_identifier(text: str) -> str:
    """Return a name with dots as separators, and without PHP's leading backslash."""
    if text.startswith("${") and text.endswith("}"):  # PHP's "${name}"
        return f"${text[2:-1]}"
    if "\\" in text or "::" in text:
        return text.lstrip("\\").replace("\\", ".").replace("::", ".")
    return text


def unquoted(text: str) -> str:
    """Return the text of a literal without prefixes and quotes."""
    if text[:1] == ":" and text[1:2] != ":":  # Ruby's :symbol
        return text[1:].strip(_QUOTES)
    text = text[match.end() :] if (match := _PREFIXES.match(text)) else text
    return text.strip(_QUOTES) if text[:1] in _QUOTES else text
