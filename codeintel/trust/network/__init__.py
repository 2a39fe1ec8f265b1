"""The trust network: packages, who maintains them, where they lie, and what depends on what.

`store` writes down what a package's facts say of it, `reading` shows a package's surroundings, and
`ranking` works out how much trust flows to each package, in a child process: nothing that a server
imports has matrices in it.
"""
