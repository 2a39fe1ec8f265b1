"""The rules of oxlint that are in use, with our grades. A rule of a plugin has the plugin's name
in front: `react/jsx-key`. See :mod:`codeintel_plugins.toolkit.rule_table` for the columns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from codeintel_plugins.toolkit.rule_table import read_table

_TABLE = """
f invalid-syntax critical high - correctness The code does not parse.
f array-callback-return medium medium - correctness A callback of an array method returns nothing.
f constructor-super high high - correctness A constructor does not call super() as it must.
f for-direction high high CWE-835 correctness A loop's counter moves away from its bound.
f getter-return medium high - correctness A getter returns nothing.
f no-async-promise-executor medium high CWE-755 correctness Errors in an async executor are lost.
f no-caller low high - maintainability arguments.caller and arguments.callee are forbidden.
f no-class-assign high high - correctness A class's name is assigned to.
f no-compare-neg-zero low high - correctness A comparison with -0 does not tell it from 0.
f no-cond-assign medium high CWE-481 correctness A condition assigns instead of comparing.
f no-const-assign high high - correctness A constant is assigned to: this throws.
f no-constant-binary-expression medium high CWE-570 correctness An operation has a constant result.
f no-constant-condition low high CWE-571 correctness A condition never changes.
f no-constructor-return low high - correctness A constructor returns a value.
f no-control-regex info medium - correctness A regular expression contains a control character.
f no-debugger medium high CWE-489 correctness A debugger statement is left in the code.
f no-delete-var low high - correctness delete is applied to a variable.
f no-dupe-class-members medium high CWE-694 correctness A class has two members with one name.
f no-dupe-else-if medium high CWE-561 correctness A branch repeats an earlier condition.
f no-dupe-keys medium high CWE-694 correctness An object literal has a key twice.
f no-duplicate-case medium high CWE-561 correctness A switch has the same case twice.
f no-empty low medium CWE-1071 correctness A block is empty; an empty catch hides errors.
f no-empty-character-class low high - correctness An empty character class matches nothing.
f no-empty-pattern low high - correctness A destructuring pattern takes nothing.
f no-eval high medium CWE-95 security eval() runs text as code.
f no-ex-assign medium high - correctness The caught exception is overwritten.
f no-extend-native medium medium CWE-1321 correctness A built-in object's prototype is changed.
p no-extra-bind info high - performance bind() is called on a function that needs no this.
p no-extra-boolean-cast info high - maintainability A value is made boolean twice.
f no-fallthrough low medium CWE-484 correctness A case falls through to the next one.
f no-func-assign medium high - correctness A function's name is assigned to.
f no-global-assign medium high - correctness A built-in global is assigned to.
f no-implied-eval high medium CWE-95 security A timer gets a string, which runs as code.
f no-import-assign high high - correctness An imported binding is assigned to: this throws.
f no-invalid-regexp high high CWE-185 correctness A regular expression is invalid: this throws.
f no-irregular-whitespace low high - correctness The code contains irregular whitespace.
f no-iterator low high - maintainability __iterator__ is obsolete.
f no-loss-of-precision medium high CWE-197 correctness A number has more digits than are kept.
f no-misleading-character-class medium high CWE-185 correctness A class splits a character.
f no-new-func high medium CWE-95 security The Function constructor runs text as code.
f no-new-native-nonconstructor high high - correctness new is applied to a function that is no constructor.
f no-nonoctal-decimal-escape low high - correctness A string has \\8 or \\9.
f no-obj-calls high high - correctness A namespace object is called like a function.
f no-self-assign low high - correctness A variable is assigned to itself.
f no-self-compare medium medium CWE-570 correctness A value is compared with itself.
f no-setter-return low high - correctness A setter returns a value.
f no-shadow-restricted-names medium high - correctness undefined, NaN or such is redefined.
f no-sparse-arrays low high - correctness An array literal has holes.
f no-template-curly-in-string low low - correctness A plain string has a template's placeholder.
f no-this-before-super high high - correctness this is used before super().
f no-unassigned-vars medium high CWE-457 correctness A variable is read and never assigned.
f no-undef medium medium - correctness An undefined name is used.
f no-unexpected-multiline medium medium - correctness Two lines are read as one expression.
f no-unmodified-loop-condition medium low CWE-835 correctness A loop never changes its condition.
f no-unreachable medium high CWE-561 correctness Code is never reached.
p no-unreachable-loop low medium - correctness A loop's body runs once at most.
f no-unsafe-finally medium high CWE-584 correctness finally overrides what try does.
f no-unsafe-negation medium high CWE-783 correctness The negation takes the left operand only.
f no-unsafe-optional-chaining medium high CWE-476 correctness An optional chain can be undefined, which throws here.
f no-unused-expressions low medium - correctness An expression's value is not used.
f no-unused-labels info high - unused A label is not used.
f no-unused-private-class-members low high - unused A private member is not used.
f no-unused-vars low high CWE-563 unused A variable, import or parameter is not used.
p no-useless-assignment low medium CWE-563 unused An assigned value is never read.
f no-useless-backreference low high CWE-185 correctness A backreference never matches.
f no-useless-catch info high - maintainability A catch only throws again.
p no-useless-escape info high - maintainability A backslash has no effect.
p no-useless-rename info high - maintainability A name is changed to itself.
f no-with medium high - correctness The with statement makes names ambiguous.
f require-yield low high - correctness A generator yields nothing.
f use-isnan high high CWE-570 correctness A comparison with NaN is always false.
f valid-typeof medium high - correctness typeof is compared with an invalid type name.
p default-param-last info high - maintainability A default comes before a parameter without one.
p eqeqeq low high CWE-595 correctness == converts its operands.
p guard-for-in low low - correctness for-in walks inherited properties too.
p no-await-in-loop low low - performance Each iteration of a loop waits for the previous one.
p no-case-declarations low high - correctness A declaration in a case is visible in the whole switch.
p no-loop-func low medium - correctness A function captures a variable that the loop changes.
p no-new-wrappers low high - correctness A wrapper object is used instead of a primitive value.
p no-promise-executor-return info medium - correctness The return value of an executor is ignored.
p no-proto low high - maintainability __proto__ is obsolete.
p no-prototype-builtins low medium - correctness An object may lack or override the method.
p no-redeclare low high - correctness A variable is declared twice.
p no-return-assign low medium CWE-481 correctness return assigns; a comparison may be meant.
p no-script-url medium medium CWE-79 security A javascript: URL runs text as code.
p no-sequences low medium - maintainability A comma joins two expressions.
p no-shadow info medium - maintainability A name shadows another one.
p no-throw-literal low high - correctness The thrown value is not an Error and has no stack.
p no-unneeded-ternary info high - maintainability A conditional expression only returns true or false.
p no-use-before-define low medium - correctness A variable is used before it is defined.
p no-useless-call info high - performance call() or apply() is not needed.
p no-useless-concat info high - maintainability Two literals are concatenated.
p no-useless-constructor info high - maintainability A constructor has no effect.
p no-useless-return info high - maintainability A return has no effect.
p no-var info high - maintainability var is visible outside its block.
p prefer-const info high - maintainability A variable is never reassigned.
p prefer-promise-reject-errors low medium - correctness A promise is rejected without an Error.
p prefer-rest-params info high - maintainability arguments is used where a rest parameter fits.
p preserve-caught-error info medium - correctness A new error drops the caught one.
p radix info medium - correctness parseInt() has no radix.
p require-await info medium - maintainability An async function awaits nothing.
f node/handle-callback-err medium medium CWE-390 correctness A callback ignores its error.
f node/no-exports-assign medium high - correctness exports is reassigned, which exports nothing.
f node/no-new-require low high - correctness new is applied to require().
p node/no-path-concat low high - correctness A path is concatenated.
f oxc/bad-array-method-on-arguments medium high - correctness arguments has no such method.
f oxc/bad-bitwise-operator medium medium CWE-480 correctness A bitwise operator is used for a logical one.
f oxc/bad-char-at-comparison medium high - correctness One character is compared with several.
f oxc/bad-comparison-sequence medium high CWE-783 correctness Comparisons are chained.
f oxc/bad-match-all-arg medium high - correctness matchAll() needs a global regular expression.
f oxc/bad-min-max-func medium high - correctness Math.min and Math.max always give a constant.
f oxc/bad-object-literal-comparison medium high CWE-595 correctness A new object equals nothing.
f oxc/bad-replace-all-arg medium high - correctness replaceAll() needs a global regular expression.
f oxc/const-comparisons medium high CWE-570 correctness Two comparisons exclude or imply each other.
f oxc/double-comparisons low high - maintainability Two comparisons can be one.
f oxc/erasing-op low high - correctness An operation always gives 0.
f oxc/misrefactored-assign-op medium medium - correctness The operand is applied twice.
f oxc/missing-throw medium high CWE-390 correctness An error is created and not thrown.
p oxc/no-accumulating-spread low high CWE-407 performance Each iteration copies the accumulator.
p oxc/no-map-spread info medium - performance Each element is copied.
f oxc/number-arg-out-of-range medium high - correctness A number of digits is out of range.
f oxc/only-used-in-recursion low medium - unused A parameter is used only in recursion.
f oxc/uninvoked-array-callback medium high - correctness The callback is not called for holes.
p promise/catch-or-return low low CWE-755 correctness The rejection of a promise is not handled.
f promise/no-multiple-resolved low medium - correctness A promise is resolved twice.
f promise/no-new-statics high high - correctness new is applied to a static method: this throws.
f promise/no-return-in-finally low high - correctness finally()'s value is not used.
f promise/valid-params low high - correctness A promise's method gets a wrong number of arguments.
f react/exhaustive-deps low medium - correctness The dependency list of a hook is incomplete.
f react/jsx-key low high - correctness An element of a list has no key.
f react/jsx-no-duplicate-props medium high CWE-694 correctness A prop is given twice.
f react/jsx-no-script-url medium high CWE-79 security A javascript: URL runs text as code.
f react/jsx-no-target-blank low medium CWE-1022 security A new tab can control this page.
f react/jsx-no-undef medium medium - correctness An undefined component is used.
f react/no-danger-with-children medium high - correctness Both HTML and children are given.
f react/no-direct-mutation-state medium high - correctness State is changed without setState().
f react/no-this-in-sfc medium medium - correctness A function component has no this.
f react/rules-of-hooks high high - correctness A hook is called under a condition or in a loop.
f react/style-prop-object low high - correctness style takes an object.
f react/void-dom-elements-no-children medium high - correctness An empty element has children.
p react/iframe-missing-sandbox low low CWE-1021 security A frame has no sandbox.
p react/jsx-no-comment-textnodes info high - correctness A comment is shown as text.
p react/jsx-no-constructed-context-values low medium - performance A context value changes in each render.
p react/no-array-index-key info medium - correctness A list index is used as a key.
p react/no-children-prop info high - maintainability Children are passed as a prop.
p react/no-string-refs info high - maintainability String refs are obsolete.
p react/no-unknown-property low medium - correctness An attribute is unknown.
p react/no-unstable-nested-components low medium - performance A component is recreated in each render.
f typescript/no-confusing-non-null-assertion low high - correctness `a! == b` looks like `a !== b`.
f typescript/no-duplicate-enum-values low high CWE-694 correctness An enum has a value twice.
f typescript/no-extra-non-null-assertion info high - maintainability A second ! has no effect.
f typescript/no-misused-new medium high - correctness new or constructor is declared as a method.
f typescript/no-non-null-asserted-optional-chain medium high CWE-476 correctness A non-null assertion follows an optional chain.
f typescript/no-unsafe-declaration-merging medium high - correctness A class and an interface merge.
p typescript/ban-ts-comment low high - maintainability A comment disables the type checker.
p typescript/no-explicit-any low high - maintainability The type any disables type checks.
p typescript/no-non-null-assertion low medium CWE-476 correctness A non-null assertion is used.
p typescript/no-this-alias info high - maintainability this is stored under another name.
p typescript/no-unnecessary-type-constraint info high - maintainability A type constraint has no effect.
p typescript/no-unsafe-function-type low high - maintainability Function allows any call.
p typescript/no-wrapper-object-types low high - correctness A wrapper object is used as a type.
p typescript/prefer-as-const info high - maintainability The type of a literal is repeated.
f unicorn/no-accessor-recursion high high CWE-674 correctness An accessor calls itself without an end.
f unicorn/no-array-fill-with-reference-type medium medium - correctness All elements are the same object.
f unicorn/no-await-in-promise-methods low high - performance Promises are awaited one by one.
f unicorn/no-invalid-fetch-options medium high - correctness A GET request has a body: this throws.
f unicorn/no-invalid-remove-event-listener medium high - correctness The listener is not removed.
f unicorn/no-negation-in-equality-check medium high CWE-783 correctness Only one operand is negated.
f unicorn/no-new-buffer medium high CWE-908 security new Buffer() can expose old memory.
p unicorn/no-instanceof-builtins info medium - correctness instanceof fails across frames.
p unicorn/no-length-as-slice-end info high - maintainability slice() needs no end here.
p unicorn/no-new-array low medium - correctness new Array(n) creates holes.
p unicorn/no-single-promise-in-promise-methods info high - performance A promise method is called with a single promise.
p unicorn/no-thenable low medium - correctness An object has a then() method, which await calls.
p unicorn/no-unnecessary-await info medium - performance await is applied to a value that is not a promise.
p unicorn/no-useless-fallback-in-spread info high - maintainability A fallback in a spread is not needed.
p unicorn/no-useless-length-check info high - maintainability An empty array needs no check.
p unicorn/no-useless-spread info high - performance A spread makes an unnecessary copy.
p unicorn/prefer-array-find info high - performance All matches are computed to get the first one.
p unicorn/prefer-array-flat-map info high - performance map() and flat() can be one.
p unicorn/prefer-array-some info medium - performance The search goes on after the first match.
p unicorn/prefer-set-has info medium - performance An array is searched repeatedly. Use a Set.
p unicorn/prefer-set-size info high - performance A set is copied to be counted.
p unicorn/prefer-string-starts-ends-with info high - performance A regular expression tests for a fixed beginning or end.
"""  # noqa: E501 - one rule in a line

OXLINT_RULES = read_table(_TABLE)
SYNTAX_ERROR = "invalid-syntax"

SAFE_FIXES = frozenset(
    {
        "no-unused-labels",
        "no-useless-escape",
        "no-useless-rename",
        "no-var",
        "prefer-const",
        "preserve-caught-error",
        "typescript/no-extra-non-null-assertion",
        "typescript/prefer-as-const",
        "unicorn/no-length-as-slice-end",
        "unicorn/no-useless-fallback-in-spread",
        "unicorn/prefer-set-size",
    }
)
"""Rules whose fixes keep the behavior; those of the others put right what the code does."""

_BY_LAST_PART = {name.rpartition("/")[2]: name for name in OXLINT_RULES}

_JAVASCRIPT_ONLY = frozenset({"no-undef", "no-redeclare"})
LANGUAGES: Mapping[str, tuple[str, ...]] = {
    name: (
        ("typescript",)
        if name.startswith("typescript/") or name == "react/jsx-no-undef"
        else ("javascript",)
        if name in _JAVASCRIPT_ONLY
        else ("javascript", "typescript")
    )
    for name in OXLINT_RULES
}
"""The languages that each rule is used for."""


@cache
def rule_of_code(code: str | None) -> str:
    """Return our name of a rule by oxlint's, which is like `react-hooks(rules-of-hooks)`. None
    means a syntax error."""
    if code is None:
        return SYNTAX_ERROR
    name = code.rpartition("(")[2].rstrip(")")
    return _BY_LAST_PART.get(name, name)
