"""Compare transformed code with its original, in checks that no plugin runs or can skip."""
