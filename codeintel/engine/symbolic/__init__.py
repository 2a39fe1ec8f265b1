"""Symbolic execution of C and C++ functions: what happens to memory, files and locks on the ways
through them. It finds what no pattern can see: what is used after its release, written past its
end, lost on one way out of several.

How data goes, from text to facts (:func:`~codeintel.engine.symbolic.find.execute`):

1. **Reading** (`read_file`, built on `reader`, `read_*`): the syntax tree becomes a `program`: a
   :class:`~codeintel.engine.symbolic.program.Source` whose functions are graphs of statements
   (`graph`), with expressions reduced to what execution needs (`syntax`). Names are unique within a
   function; macros and constants of the file are replaced by what they stand for. What is broken
   or nested too deeply is left out.
2. **Walking** (`machine`, `ways`, `loops`, `waiting`): each function is executed as if anybody
   called it, one way after the other. A statement that may go several ways is executed once for
   each (:class:`~codeintel.engine.symbolic.base.Choices`). Calls of functions of the file are
   entered. A loop's head is left once without a turn, and once with the values of any turn.
3. **Knowing** (`state`): on each way a :class:`~codeintel.engine.symbolic.state.State` has the
   values of places, the regions of memory (`memory`), and what conditions say of numbers: numbers
   that are not known are polynomials (`poly`), conditions are polynomials that are at most zero.
4. **Checking** (`access`, `arithmetic`, `resources`, `strings`, `containers` and so on, each a
   layer of one class): whatever uses memory or computes asks the state, and reports a fact where
   the answer is bad, or where nobody has made sure and somebody outside decides. What is reported
   once is then taken to be right, so that one mistake is one fact.
5. **Facts** (`facts`): a kind, a place and the places that led to it. Rules say which kinds they
   report (`facts` in `patterns/rules/c` and `cpp`); nothing here knows of rules.

What library functions do stands in `library.yml`; those that need more have methods. Loops and
recursion that nothing ends are found on the graphs, without execution (`endless`).

Bounds: work is counted (`machine.MAX_WORK`), time is limited (`base.MAX_SECONDS`, with reading),
and so are ways, terms, digits and depth. Beyond a bound something is missed; nothing is made up,
nothing is raised.
"""
