"""Search registries: the I/O, deadlines and caching around the sources that plugins provide.

Other packages import only `cache`, `reading`, `reports` and `service`.
"""
