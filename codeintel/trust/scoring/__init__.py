"""Making scores of facts: signals, margins, comparisons."""
