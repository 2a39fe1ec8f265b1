"""The paths through the graphs of functions, one after the other."""
