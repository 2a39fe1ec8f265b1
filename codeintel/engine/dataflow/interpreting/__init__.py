"""Interpret a program over origins of values: find what each expression may hold.

Every function is executed by itself with labeled parameters, and again wherever the file calls
it, with the values of that call. Both branches are taken and joined. A loop's body is executed
twice. This is neither sound nor complete, but it ends: calls nest to a fixed depth, and the total
number of steps is limited.
"""
