"""Execute C and C++ functions symbolically: follow memory, files and locks along each path.

Execution finds defects that no pattern shows: use after release, writes past the end, and leaks on
one path out of several.

How data flows, from text to facts (:func:`~codeintel.engine.symbolic.find.execute`):

1. **Reading** (`reading`): the syntax tree becomes a
   :class:`~codeintel.engine.symbolic.program.TranslationUnit`, whose functions are graphs of
   statements (`program`) with expressions reduced to what execution needs (`syntax`).
   Names are unique within a function. The file's macros and constants are replaced by
   their values. Broken or too deeply nested code is left out. A table says which function
   reads which kind of node (`reading.kinds`).
2. **Following** (`find`, `paths`): each function is executed as if anyone called it, one
   path after the other. A statement with several outcomes is executed once for each
   (:class:`~codeintel.engine.symbolic.machine.Choices`). Calls of functions in the file are
   entered (`calls.functions`). A loop's head is left once without an iteration, and once
   with the values of any iteration.
3. **Knowing** (`values`): on each path, a
   :class:`~codeintel.engine.symbolic.values.state.State` holds the values of places, the
   regions of memory (`values.state`), and what conditions say about numbers. Unknown
   numbers are polynomials (`values.polynomials`). Conditions are polynomials that are at
   most zero.
4. **Checking** (`memory`, `expressions`, `calls`): functions that receive the machine and a
   state evaluate expressions; a table assigns them to types of expressions (`find`). Code
   that uses memory or computes asks the state. It reports a fact if the answer is bad, or
   if untrusted input decides and no check limits it. After a report the value counts as
   right, so that one mistake is one fact.
5. **Facts** (`facts`): a kind, a place and the places that lead to it. Rules name the kinds
   that they report (`facts` in `patterns/rules/c` and `cpp`); nothing here knows of rules.

`library.yml` describes the effects of library functions. Those that need more have functions
(`calls`). Endless loops and recursion are found on the graphs, without execution
(`non_termination`).

Bounds: work is counted (`find.MAX_WORK`), time is limited (`machine.MAX_SECONDS`, including
reading), and so are paths, terms, digits and depth. Beyond a bound, facts may be missed, but none
are invented and no error is raised.
"""
