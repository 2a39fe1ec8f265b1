"""The trust network: evidence about packages, and scores that show theirs."""
