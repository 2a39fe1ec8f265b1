"""Names of JavaScript and TypeScript: where each is declared, read and written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from codeintel_plugins.transformations.web.trees import child_of, listed, text

FUNCTIONS = listed(
    """
    function_declaration function_expression generator_function
    generator_function_declaration arrow_function method_definition
    """
)
LOOPS = frozenset({"for_statement", "for_in_statement", "while_statement", "do_statement"})
_BLOCKS = listed(
    """
    statement_block for_statement for_in_statement switch_body catch_clause
    class_static_block class_declaration class abstract_class_declaration
    """
)
_NAMES = frozenset(
    {"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"}
)
_PATTERNS = listed(
    """
    object_pattern array_pattern rest_pattern assignment_pattern object_assignment_pattern
    pair_pattern required_parameter optional_parameter
    """
)
_TRANSPARENT = listed(
    """
    array object pair parenthesized_expression non_null_expression as_expression type_assertion
    satisfies_expression
    """
)
"""What may stand between an assignment and the name that is assigned to."""
_TYPES = listed(
    """
    type_annotation type_arguments type_parameters interface_declaration implements_clause
    type_alias_declaration
    """
)
_NAMED_FUNCTIONS = frozenset({"function_declaration", "arrow_function", "function_expression"})


@dataclass(eq=False)
class Binding:
    """A name: how it was declared, by which nodes, and where it is used."""

    name: str
    kind: str
    scope: Scope
    declared: list[Node] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    declared_in: list[Scope] = field(default_factory=list)

    @property
    def is_hidden(self) -> bool:
        """Whether something between its declaration and its scope has the same name."""
        for scope in self.declared_in:
            inner: Scope | None = scope
            while inner is not None and inner is not self.scope:
                if self.name in inner.names:
                    return True
                inner = inner.outer
        return False

    @property
    def writes(self) -> list[Use]:
        return [use for use in self.uses if use.writes]


@dataclass(eq=False)
class Use:
    """A place where a name is read or written, declarations aside."""

    node: Node
    scope: Scope
    writes: bool


@dataclass(eq=False)
class Scope:
    """A scope that may declare names. `function` is the nearest one that `var` belongs to."""

    node: Node
    outer: Scope | None
    names: dict[str, Binding] = field(default_factory=dict)

    @property
    def is_function(self) -> bool:
        return (
            self.outer is None
            or self.node.type in FUNCTIONS
            or (self.node.type == "class_static_block")
        )

    @property
    def function(self) -> Scope:
        scope = self
        while not scope.is_function and scope.outer is not None:
            scope = scope.outer
        return scope

    def lookup(self, name: str) -> Binding | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None


class Scopes:
    """All names of a tree. `is_dynamic` tells that code may reach names in ways that cannot be
    seen: `eval` and `with`. `words` are all names that are declared or used."""

    def __init__(self, root: Node) -> None:
        self.root = Scope(root, None)
        self.bindings: list[Binding] = []
        self.free: dict[str, list[Use]] = {}
        self.is_dynamic = False
        self.of_functions: dict[int, Scope] = {}
        self.words: set[str] = set()
        self._waiting: list[tuple[Node, Scope]] = []
        self._declared: dict[int, Binding] = {}
        self._used: dict[int, Binding | None] = {}
        self._walk(root)
        for node, scope in self._waiting:
            self._use(node, scope)

    def binding(self, node: Node) -> Binding | None:
        """Return the binding of a name, at its declaration or use; None for a global or unknown."""
        return self._declared.get(node.id) or self._used.get(node.id)

    def function_of(self, name: Node) -> Node | None:
        """Return the function that a name always stands for, or None if it may be another value or
        is async.
        """
        binding = self.binding(name)
        if binding is None or binding.writes or len(binding.declared) != 1:
            return None
        found = binding.declared[0].parent
        if found is not None and found.type == "variable_declarator" and binding.kind == "const":
            found = found.child_by_field_name("value")
        if found is None or found.type not in _NAMED_FUNCTIONS:
            return None
        return found if child_of(found, "async") is None else None

    def is_global(self, node: Node, *names: str) -> bool:
        """Return whether a node is one of these names, and the code does not declare it."""
        if node.type != "identifier" or text(node) not in names:
            return False
        return self._used.get(node.id, self.root) is None

    def _walk(self, root: Node) -> None:
        stack = [(root, self.root)]
        while stack:
            node, scope = stack.pop()
            if node.type in _TYPES:
                continue
            inner = self._entered(node, scope)
            self._declare(node, scope, inner)
            if node.type in _NAMES and node.id not in self._declared:
                self._waiting.append((node, scope))
            if node.type == "with_statement":
                self.is_dynamic = True
            stack.extend((child, inner) for child in reversed(node.children))

    def _entered(self, node: Node, scope: Scope) -> Scope:
        parent = node.parent
        body = node.type == "statement_block" and parent is not None and parent.type in FUNCTIONS
        if (node.type in FUNCTIONS or node.type in _BLOCKS) and node.is_named and not body:
            inner = Scope(node, scope)
            if node.type in FUNCTIONS:
                self.of_functions[node.id] = inner
            return inner
        return scope

    def _declare(self, node: Node, scope: Scope, inner: Scope) -> None:
        kind = node.type
        name = node.child_by_field_name("name")
        if kind == "variable_declarator" and name is not None:
            outer = node.parent
            word = text(outer.children[0]) if outer is not None else ""
            place = scope.function if word == "var" else scope
            self._bind(name, word, place, scope)
        elif kind == "for_in_statement" and (kept := node.child_by_field_name("kind")) is not None:
            left = node.child_by_field_name("left")
            if left is not None:
                place = scope.function if text(kept) == "var" else inner
                self._bind(left, text(kept), place, scope)
        elif kind in ("function_declaration", "generator_function_declaration") and name:
            self._bind(name, "function", scope)
        elif (
            kind in ("class_declaration", "abstract_class_declaration", "enum_declaration") and name
        ):
            self._bind(name, "class", scope)
        elif kind in ("function_expression", "generator_function", "class") and name:
            self._bind(name, "own name", inner)
        if kind in FUNCTIONS:
            single = node.child_by_field_name("parameter")
            several = node.child_by_field_name("parameters")
            for parameter in [single] if single else several.named_children if several else []:
                self._bind(parameter, "parameter", inner)
        elif kind == "catch_clause" and (caught := node.child_by_field_name("parameter")):
            self._bind(caught, "catch", inner)
        elif kind == "import_statement":
            for leaf in imported(node):
                self._bind(leaf, "import", scope)
        elif kind in ("internal_module", "module", "import_alias"):
            self.is_dynamic |= node.is_named

    def _bind(self, pattern: Node, kind: str, scope: Scope, inner: Scope | None = None) -> None:
        for leaf in leaves(pattern):
            binding = scope.names.get(text(leaf))
            if binding is None:
                binding = Binding(text(leaf), kind, scope)
                scope.names[binding.name] = binding
                self.bindings.append(binding)
            self.words.add(binding.name)
            binding.declared.append(leaf)
            binding.declared_in.append(inner or scope)
            self._declared[leaf.id] = binding

    def _use(self, node: Node, scope: Scope) -> None:
        name = text(node)
        self.words.add(name)
        self.is_dynamic |= name == "eval"
        binding = scope.lookup(name)
        self._used[node.id] = binding
        use = Use(node, scope, is_written(node))
        (binding.uses if binding is not None else self.free.setdefault(name, [])).append(use)


def leaves(pattern: Node) -> Iterator[Node]:
    """Yield the names that a pattern declares, without its defaults and computed keys."""
    kind = pattern.type
    if kind in _NAMES:
        yield pattern
    elif kind == "pair_pattern":
        value = pattern.child_by_field_name("value")
        yield from leaves(value) if value is not None else ()
    elif kind in ("assignment_pattern", "object_assignment_pattern"):
        yield from leaves(pattern.children[0])
    elif kind in ("required_parameter", "optional_parameter"):
        inner = pattern.child_by_field_name("pattern")
        yield from leaves(inner) if inner is not None else ()
    elif kind in _PATTERNS:
        for child in pattern.named_children:
            yield from leaves(child)


def imported(node: Node) -> Iterator[Node]:
    """Yield the names that an import declares."""
    clause = child_of(node, "import_clause")
    for part in clause.named_children if clause is not None else ():
        if part.type == "identifier":
            yield part
        elif part.type == "namespace_import":
            yield part.named_children[0]
        elif part.type == "named_imports":
            for each in part.named_children:
                name = each.child_by_field_name("alias") or each.child_by_field_name("name")
                if name is not None:
                    yield name


def is_written(node: Node) -> bool:
    """Return whether the node assigns to a name."""
    inner = node
    outer = node.parent
    while outer is not None and (outer.type in _PATTERNS or outer.type in _TRANSPARENT):
        if outer.type in ("assignment_pattern", "object_assignment_pattern") and (
            outer.children[0] != inner
        ):
            return False
        inner, outer = outer, outer.parent
    if outer is None:
        return False
    if outer.type in ("assignment_expression", "augmented_assignment_expression"):
        return outer.child_by_field_name("left") == inner
    if outer.type == "for_in_statement":
        return outer.child_by_field_name("left") == inner
    return outer.type == "update_expression"
