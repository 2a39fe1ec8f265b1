"""The trust network: upstreams that know packages, and the signals of a score."""
