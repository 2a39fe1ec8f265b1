"""Names in a program: the name of an expression, and the function of the file that it means."""

from __future__ import annotations

import re

from codeintel.engine.dataflow.interpreting.interpreter import (
    READS,
    SELVES,
    Frame,
    Interpreter,
    arity,
)
from codeintel.engine.dataflow.ir import (
    Call,
    Closure,
    Expr,
    Function,
    Index,
    Join,
    Literal,
    Member,
    Name,
)

_CONSTRUCTORS = ("__init__", "constructor", "__construct")
_CLASS = re.compile(r"[A-Z]\w{1,60}")


def dotted_name(interpreter: Interpreter, expr: Expr) -> str:
    parts: list[str] = []
    while True:
        if isinstance(expr, Member):
            parts.append(expr.name)
            expr = expr.object
        elif isinstance(expr, Index):
            expr = expr.object
        elif isinstance(expr, Call):
            module = _module_of(expr)
            if module:
                parts.append(module)
                break
            callee = expr.callee
            if isinstance(callee, Member):
                parts.append(f"{callee.name}()")
                expr = callee.object
            else:
                if isinstance(callee, Name):
                    full = interpreter.program.aliases.get(callee.id, callee.id)
                    parts.append(f"{full}()")
                break
        elif isinstance(expr, Join) and len(expr.parts) == 1:
            expr = expr.parts[0]
        elif isinstance(expr, Name):
            new = "new " if expr.id.startswith("new ") else ""
            head, dot, tail = expr.id.removeprefix(new).partition(".")
            parts.append(new + interpreter.program.aliases.get(head, head) + dot + tail)
            break
        else:
            parts.append("?")
            break
    return ".".join(reversed(parts))


def dotted_of_part(interpreter: Interpreter, expr: Member, frame: Frame) -> str:
    """Return a name such as `Path().name` for a part of a call's result, or an empty text."""
    whole: Expr | None = expr.object
    if isinstance(whole, Name):
        whole = frame.expr_of(whole.id)
    return f"{dotted_name(interpreter, whole)}.{expr.name}" if isinstance(whole, Call) else ""


def _module_of(call: Call) -> str:
    if isinstance(call.callee, Name) and call.callee.id in ("require", "import") and call.args:
        module = call.args[0].value
        if isinstance(module, Literal):
            return module.text.removeprefix("node:")
    return ""


def typed_name(callee: Expr, frame: Frame) -> str:
    if isinstance(callee, Member) and isinstance(callee.object, Name):
        type_ = frame.type_of(callee.object.id).partition("<")[0].strip("*& ?")
        if type_:
            return f"{type_.rpartition('.')[2]}.{callee.name}"
    return ""


def path_of(expr: Expr) -> str:
    """Return a variable, or a part of one, as a frame names it, or an empty text."""
    if isinstance(expr, Name):
        return expr.id
    if isinstance(expr, Member):
        whole = path_of(expr.object)
        return f"{whole}.{expr.name}" if whole else ""
    if isinstance(expr, Index) and isinstance(expr.key, Literal):
        whole = path_of(expr.object)
        return f"{whole}[{expr.key.text}]" if whole else ""
    if isinstance(expr, Join) and len(expr.parts) == 1:
        return path_of(expr.parts[0])
    return ""


def text_of(interpreter: Interpreter, function: Function) -> str:
    """Return the text after a function's head."""
    start = function.span.start + len(function.decoration)
    return interpreter.text[start : function.span.end]


def behind_keeps(interpreter: Interpreter, expr: Expr) -> Expr:
    """Return what `x.append(a).append(b)` appends to."""
    while (
        isinstance(expr, Call)
        and isinstance(expr.callee, Member)
        and interpreter.table.keeps.find(f"x.{expr.callee.name}")
    ):
        expr = expr.callee.object
    return expr


def is_own(callee: Expr) -> bool:
    if isinstance(callee, Member):
        return isinstance(callee.object, Name) and callee.object.id in SELVES
    return isinstance(callee, Name)


def is_helper(interpreter: Interpreter, target: Expr, frame: Frame) -> bool:
    """Return whether an inner function is stored under a name that is called."""
    if not isinstance(target, Name) or frame is interpreter.module:
        return False
    return re.search(rf"\b{re.escape(target.id)}\(", interpreter.text) is not None


def maker_of(interpreter: Interpreter, callee: Expr, frame: Frame) -> str:
    """Return the call that made the function in a variable, such as `pug.compile()` for a
    template.
    """
    kept = frame.expr_of(callee.id) if isinstance(callee, Name) else None
    return f"{dotted_name(interpreter, kept.callee)}()" if isinstance(kept, Call) else ""


def _is_foreign_class(interpreter: Interpreter, callee: Expr, candidates: list[Function]) -> bool:
    """Return whether a method belongs to a library class.

    An example is `Base64.getDecoder().decode(x)` within a method `decode` of this file. A function
    that is called by its name alone, as in Go, belongs to no class.
    """
    if isinstance(callee, Name):
        return False
    while isinstance(callee, Member | Call):
        callee = callee.object if isinstance(callee, Member) else callee.callee
    root = callee.id if isinstance(callee, Name) else ""
    if not _CLASS.fullmatch(root) or any(each.owner == root for each in candidates):
        return False
    return root not in interpreter.declared


def resolve(interpreter: Interpreter, call: Call, frame: Frame) -> Function | None:
    """Return the function of this file that is called, or None."""
    callee = call.callee
    if isinstance(callee, Name):
        name = callee.id.removeprefix("new ").rpartition(".")[2]
    elif isinstance(callee, Member):
        name = callee.name
        if name in READS and not is_own(callee):
            # a container's method is more likely than one of this file's classes
            owner = dotted_name(interpreter, callee.object).removeprefix("new ").partition(".")[0]
            if not any(e.owner == owner for e in interpreter.functions.get(name, ())):
                return None
        if name == "new" and isinstance(callee.object, Name):  # Ruby
            made = interpreter.functions.get("initialize", ())
            return next((e for e in made if e.owner == callee.object.id), None)
    else:
        return None
    candidates = interpreter.functions.get(name)
    if candidates and _is_foreign_class(interpreter, callee, candidates):
        return None
    if not candidates and isinstance(callee, Name):
        constructors = [e for c in _CONSTRUCTORS for e in interpreter.functions.get(c, ())]
        candidates = [each for each in constructors if each.owner == name]
        if not candidates:
            kept = frame.expr_of(callee.id)
            return kept.function if isinstance(kept, Closure) else None
    if not candidates:
        return None
    count = len(call.args)
    exact = [each for each in candidates if arity(each) == count]
    return (exact or candidates)[0]


def classes_treated(interpreter: Interpreter, call: Call | Member, name: str) -> frozenset[str]:
    """Return the classes of sinks for which a call, or a part of one, sanitizes a value."""
    if not name:
        return frozenset()
    text = interpreter.own_text(call)
    return frozenset(
        each
        for sanitizer in interpreter.table.sanitizers.find(name)
        if sanitizer.with_text is None or re.search(sanitizer.with_text, text)
        for each in sanitizer.classes
    )


def is_field(interpreter: Interpreter, name: str, frame: Frame) -> bool:
    """Return whether a name without `this` stands for a field."""
    return (
        interpreter.program.bare_fields
        and bool(frame.owner)
        and interpreter.module.knows(name)
        and not frame.is_local(name)
    )
