"""Symbolic execution of C and C++ functions: what happens to memory, files and locks on the paths
through them. It finds what no pattern can see: what is used after its release, written past its
end, lost on one path out of several.

How data goes, from text to facts (:func:`~codeintel.engine.symbolic.find.execute`):

1. **Reading** (`reading`): the syntax tree becomes a `program`: a
   :class:`~codeintel.engine.symbolic.program.Source` whose functions are graphs of
   statements (`program`), with expressions reduced to what execution needs
   (`syntax`). Names are unique within a function; macros and constants of the file are
   replaced by what they stand for. What is broken or nested too deeply is left out. A table says
   which function reads which kind of node (`reading.kinds`).
2. **Following** (`find`, `paths`): each function is executed as if anybody called it, one path
   after the other. A statement that may go several ways is executed once for each
   (:class:`~codeintel.engine.symbolic.machine.Choices`). Calls of functions of the file are
   entered (`calls.functions`). A loop's head is left once without a turn, and once with the values
   of any turn.
3. **Knowing** (`values`): on each path a :class:`~codeintel.engine.symbolic.values.state.State`
   has the values of places, the regions of memory (`values.state`), and what conditions say of
   numbers: numbers that are not known are polynomials (`values.polynomials`), conditions are
   polynomials that are at most zero.
4. **Checking** (`memory`, `expressions`, `calls`): functions that take the machine and a state
   evaluate; a table says which of them is for which type of expression (`find`). Whatever uses
   memory or computes asks the state, and reports a fact where the answer is bad, or where nobody
   has made sure and somebody outside decides. What is reported once is then taken to be right, so
   that one mistake is one fact.
5. **Facts** (`facts`): a kind, a place and the places that led to it. Rules say which kinds they
   report (`facts` in `patterns/rules/c` and `cpp`); nothing here knows of rules.

What library functions do stands in `library.yml`; those that need more have functions (`calls`).
Loops and recursion that nothing ends are found on the graphs, without execution
(`non_termination`).

Bounds: work is counted (`find.MAX_WORK`), time is limited (`machine.MAX_SECONDS`, with reading),
and so are paths, terms, digits and depth. Beyond a bound something is missed; nothing is made up,
nothing is raised.
"""
