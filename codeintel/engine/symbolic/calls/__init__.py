"""Execute calls of functions and methods: from the library, from the file, and unknown ones."""
