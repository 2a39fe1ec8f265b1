"""Knowledge at one point of a path: values, types, regions of memory, conditions."""
