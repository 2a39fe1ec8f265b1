"""The edits that rules name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural import joining, operators, statements
from codeintel_plugins.transformations.structural.languages import (
    bash,
    c_family as families,
    csharp,
    go,
    java,
    php,
    pointers,
    ruby,
    rust,
    rust_failures,
)
from codeintel_plugins.transformations.structural.patches import Edit
from codeintel_plugins.transformations.structural.reading import Reading

if TYPE_CHECKING:
    from ast_grep_py import SgNode

EditMaker = Callable[[Reading, "SgNode", Any], list[Edit]]

EDITS: dict[str, EditMaker] = {
    "merge_ifs": joining.merge_ifs,
    "return_condition": statements.return_condition,
    "drop_last": statements.drop_last,
    "drop_word": statements.drop_word,
    "parts": statements.parts,
    "call_brackets": statements.call_brackets,
    "loop_variable": statements.loop_variable,
    "compound": operators.compound,
    "declared_type": operators.declared_type,
    "operator": operators.other_operator,
    "bash_arithmetic": bash.arithmetic,
    "bash_brackets": bash.brackets,
    "bash_function": bash.function,
    "c_free": pointers.free,
    "c_no_parameters": families.no_parameters,
    "c_rename": pointers.rename,
    "c_uncast": pointers.uncast,
    "cpp_alias": families.alias,
    "cpp_cast_type": pointers.cast_type,
    "cpp_closing": pointers.closing,
    "cpp_delete": pointers.delete,
    "cpp_nullptr": pointers.null_pointer,
    "cpp_override": families.override,
    "csharp_event": csharp.raised_event,
    "csharp_interpolation": csharp.interpolation,
    "csharp_name": csharp.name_of,
    "csharp_out": csharp.out_variable,
    "csharp_property": operators.csharp_property,
    "go_elements": go.elements,
    "go_increment": operators.go_increment,
    "go_range": operators.go_range,
    "go_return_error": go.return_error,
    "java_array": java.array_type,
    "java_diamond": java.diamond,
    "java_builder": java.builder,
    "java_lambda": java.to_lambda,
    "php_alias": php.alias,
    "php_cast": php.cast,
    "php_coalesce": php.coalesce,
    "php_contains": php.contains,
    "php_default": php.default,
    "php_elvis": php.elvis,
    "php_list": php.short_list,
    "php_null": php.null,
    "php_power": php.power,
    "ruby_arrow": ruby.arrow,
    "ruby_label": ruby.label,
    "ruby_raise": ruby.plain_raise,
    "ruby_reader": ruby.reader,
    "ruby_tail": ruby.tail,
    "ruby_unless": ruby.unless,
    "ruby_words": ruby.words,
    "rust_dyn": rust.trait_object,
    "rust_field": rust.field_name,
    "rust_format": rust.inline_arguments,
    "rust_limit": rust.limit,
    "rust_loop": rust.loop,
    "rust_question": rust_failures.question_mark,
    "rust_single_match": rust.single_match,
    "rust_tail": rust.tail,
    "rust_truth": rust.truth,
    "rust_unit": rust.unit,
}
