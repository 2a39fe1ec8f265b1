"""Normal forms of loops: what they build, search and go over."""
