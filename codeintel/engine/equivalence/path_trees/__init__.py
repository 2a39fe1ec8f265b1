"""Trees of the paths through a function: what is evaluated, asked and changed, in order.

A tree holds no names of variables and no statements. Each path from its root says what happens, one
event after another, until the function returns or raises. Two functions with the same tree do the
same, however they are written. Languages differ in how their code becomes a tree; what a tree is,
and how loops and collections are kept in it, is the same for all.
"""
