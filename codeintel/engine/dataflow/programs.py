"""From syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`: whole files."""

from __future__ import annotations

from codeintel.engine.dataflow.aliases import imported_names
from codeintel.engine.dataflow.ir import Program
from codeintel.engine.dataflow.statements import StatementLowerer
from codeintel.engine.dataflow.tree import Tree, span


def lower(tree: Tree, language: str) -> Program:
    """The whole file."""
    if language == "bash":
        from codeintel.engine.dataflow.shell import lower_script

        return lower_script(tree)
    lowerer = StatementLowerer()
    if language == "rust":
        from codeintel.engine.dataflow.rust import RustLowerer
        from codeintel.engine.dataflow.rust_macros import expose_macros

        tree = expose_macros(tree)
        lowerer = RustLowerer(tree.root)
    lowerer.slash_joins = language in ("python", "cpp", "ruby")
    if language == "ruby":
        starts = tree.root.find_all(kind="heredoc_beginning")
        bodies = tree.root.find_all(kind="heredoc_body")
        lowerer.heredocs = {span(one): body for one, body in zip(starts, bodies, strict=False)}
    body = lowerer.statements(tree.root)
    aliases = imported_names(tree.root, language)
    return Program(body, tuple(lowerer.functions), aliases, language in ("java", "csharp"))
