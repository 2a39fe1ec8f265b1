"""The configuration with which oxlint reads code of unknown origin."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from codeintel.contracts import Model
from codeintel_plugins.linters.oxlint.rules import LANGUAGES, OXLINT_RULES, SYNTAX_ERROR

_PLUGINS = ("eslint", "typescript", "unicorn", "oxc", "react", "promise", "node")

# The environment in which the code will run is unknown.
_ENVIRONMENTS = (
    "amd audioworklet browser builtin commonjs embertest es2026 greasemonkey jasmine jest jquery"
    " meteor mocha mongo node phantomjs protractor qunit serviceworker shared-node-browser svelte"
    " astro vitest vue webextensions worker"
)
# What pages and runtimes usually have besides.
_GLOBALS = (
    "$app $t Alpine Backbone Bun Chart Cypress Deno Ember Handlebars L MathJax Phaser Prism React"
    " ReactDOM Stripe THREE Vue WebImporter YT _ angular arguments axios bootstrap cy d3 dataLayer"
    " dayjs exports firebase ga google grecaptcha gsap gtag html2canvas io ko lodash luxon m"
    " mapboxgl marked module moment p5 requirejs rxjs supabase tf uuid"
)
_OPTIONS: Mapping[str, tuple[Any, ...]] = {
    "eqeqeq": ("always", {"null": "ignore"}),
    "no-cond-assign": ("except-parens",),
    "no-unused-expressions": (
        {"allowShortCircuit": True, "allowTernary": True, "allowTaggedTemplates": True},
    ),
    "no-use-before-define": ({"functions": False, "classes": False, "variables": True},),
    "prefer-const": ({"destructuring": "all"},),
    # then() with a second function handles the rejection.
    "promise/catch-or-return": ({"allowThen": True, "allowFinally": True},),
}
_UNUSED: Mapping[Model, tuple[Any, ...]] = {
    Model.FLASH: ({"args": "none", "caughtErrors": "none", "ignoreRestSiblings": True},),
    Model.PRO: ({"args": "after-used", "caughtErrors": "none", "ignoreRestSiblings": True},),
}
_DIRECTIVE = re.compile(r"(es|ox)lint-disable")


def configuration(language: str, model: Model) -> dict[str, Any]:
    """Return the configuration file, as JSON's shapes."""
    chosen = {
        rule.id: ["warn", *_OPTIONS.get(rule.id, ())]
        for rule in OXLINT_RULES.values()
        if model in rule.models and language in LANGUAGES[rule.id] and rule.id != SYNTAX_ERROR
    }
    chosen["no-unused-vars"] = ["warn", *_UNUSED[model]]
    return {
        "plugins": _PLUGINS,
        "categories": {"correctness": "off"},
        "rules": chosen,
        "env": dict.fromkeys(_ENVIRONMENTS.split(), True),
        "globals": dict.fromkeys(_GLOBALS.split(), "readonly"),
        "options": {"respectEslintDisableDirectives": False},
    }


def without_directives(code: str) -> str:
    """Return the code, at the same length, without directives that switch rules off.

    The author of the code does not decide what the caller sees. A lone CR becomes LF, which ends a
    line for every tool.
    """
    return re.sub(r"\r(?!\n)", "\n", _DIRECTIVE.sub(r"\1lint_disable", code))
