"""The plugins that ship with codeintel. They use nothing that other people's plugins could not."""

from __future__ import annotations

BUILTIN_MODULES: tuple[str, ...] = (
    "codeintel_plugins.static",
    "codeintel_plugins.python",
    "codeintel_plugins.secrets",
    "codeintel_plugins.patterns",
    "codeintel_plugins.taint",
    "codeintel_plugins.linters",
    "codeintel_plugins.complexity",
    "codeintel_plugins.grammars",
    "codeintel_plugins.openai",
    "codeintel_plugins.transformations",
    "codeintel_plugins.transformations.data",
    "codeintel_plugins.transformations.python",
    "codeintel_plugins.transformations.sql",
    "codeintel_plugins.transformations.web",
    "codeintel_plugins.transformations.structural",
    "codeintel_plugins.registries.github",
    "codeintel_plugins.registries.npm",
    "codeintel_plugins.registries.docker",
    "codeintel_plugins.registries.gitlab",
    "codeintel_plugins.registries.gitea",
    "codeintel_plugins.registries.crates",
    "codeintel_plugins.registries.huggingface",
    "codeintel_plugins.trust.collectors.depsdev",
    "codeintel_plugins.trust.collectors.github",
    "codeintel_plugins.trust.collectors.ecosystems",
    "codeintel_plugins.trust.collectors.osv",
    "codeintel_plugins.trust.collectors.osv_malware",
    "codeintel_plugins.trust.collectors.scorecard",
    "codeintel_plugins.trust.collectors.depsdev_dependencies",
    "codeintel_plugins.trust.collectors.depsdev_project",
    "codeintel_plugins.trust.scorers",
)
"""Dotted names of the modules that the core registers as its built-in plugins."""
