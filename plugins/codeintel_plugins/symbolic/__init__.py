"""Symbolic execution of C and C++ functions: what happens to memory, files and locks on the ways
through them. It finds what no pattern can see: what is used after its release, written past its
end, lost on one way out of several."""
