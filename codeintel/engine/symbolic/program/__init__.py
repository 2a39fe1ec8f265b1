"""Code as execution sees it: expressions, and functions as graphs of statements."""
