"""Say why the runs of two programs can prove nothing, even if all calls agree.

`doubts` returns the reasons, from a comparison of the changed code of both programs.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from codeintel.engine.sandbox.javascript.doubts.members import (
    call_methods_otherwise,
    measure_iterables,
    use_accessors_otherwise,
)
from codeintel.engine.sandbox.javascript.doubts.sequences import are_reordered
from codeintel.engine.sandbox.javascript.doubts.state import (
    are_in_other_order,
    changed_state,
    has_other_fields,
)
from codeintel.engine.sandbox.javascript.doubts.tables import have_other_tables
from codeintel.engine.sandbox.javascript.source import Program

_REACHING = re.compile(
    r"\b(?:eval|Function|Proxy|Reflect|WeakRef|WeakMap|WeakSet|FinalizationRegistry|globalThis|window|"
    r"document|process|require|import|global|self|WebAssembly|SharedArrayBuffer|Atomics|__proto__|"
    r"stack|prepareStackTrace|captureStackTrace|caller|callee|with|debugger|Intl|localStorage|fetch|"
    r"crypto|performance|XMLHttpRequest|structuredClone|setPrototypeOf|defineProperty|"
    r"defineProperties|toLocale\w+|localeCompare|fromAsync|species|isConcatSpreadable|toPrimitive|"
    r"constructor(?!\s*\()|\$codeintel\w*)\b"
)
_PATCHES = re.compile(
    r"\b(?:Array|Object|String|Number|Map|Set|Promise|Date|RegExp|Error|Math|JSON|Symbol|console)\."
    r"(?:prototype\.)?\w+\s*=(?!=)"
)
_MAX_NAMED = 3


def doubts(
    before: Program, after: Program, names: set[str], unsettled: list[str], *, typed: bool
) -> list[str]:
    """Return the reasons, as parts of a sentence.

    :param names: the units that differ.
    :param unsettled: operations that only one program uses and that examples do not settle.
    :param typed: whether annotations describe all parameters.
    """
    found = []
    if unsettled:
        found.append(f"examples do not settle a difference in {', '.join(unsettled[:_MAX_NAMED])}")
    programs = before, after
    reaching = {each for program in programs for each in _REACHING.findall(program.text)}
    if reaching:
        named = ", ".join(f"`{each}`" for each in sorted(reaching)[:_MAX_NAMED])
        found.append(f"the code uses {named}, whose effects cannot be seen")
    if any(_PATCHES.search(program.text) for program in programs):
        found.append("the code changes objects of the language")
    if any(changed_state(program, names) for program in programs):
        found.append("a changed variable of the module is set while the program runs")
    if not typed and measure_iterables(before, after, names):
        found.append("the original takes other iterables than arrays")
    return found + [text for text, differ in _DIFFERENCES.items() if differ(before, after, names)]


_DIFFERENCES: dict[str, Callable[[Program, Program, set[str]], bool]] = {
    "the fields of a class differ": has_other_fields,
    "the statements of the module are in another order": are_in_other_order,
    "getters or setters that change something are used differently": use_accessors_otherwise,
    "calls of a method that a subclass may replace differ": call_methods_otherwise,
    "tables of constants differ": have_other_tables,
    "large numbers, long strings or operations that examples do not settle changed places": (
        are_reordered
    ),
}
