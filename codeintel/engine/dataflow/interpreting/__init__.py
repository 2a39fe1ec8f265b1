"""Going through a program with values in place of data: what may each expression hold?

Every function is gone through by itself, its parameters labelled, and once more wherever it is
called in the file, with the values of that call. Branches are both taken and joined; a loop's body
is gone through twice. That is neither sound nor complete, and it ends: calls nest to a fixed depth,
and there is a bound on all steps together.
"""
