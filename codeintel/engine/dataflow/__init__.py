"""The way of values through code: one small form for many languages, and an interpreter of it."""
