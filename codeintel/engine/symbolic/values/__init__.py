"""What is known at one point: values, types, regions of memory, conditions."""
