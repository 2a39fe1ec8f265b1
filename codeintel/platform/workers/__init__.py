"""Worker processes for hostile input.

Everything that parses what a caller sent runs in a process of its own that may crash, hang or eat
memory without harm. `pool` (in the server) queues the jobs and listens to them; its `fork_server`
has a `zygote`, one process with all plugins imported, fork a `child` for each.

Why not `multiprocessing`: its fork server cannot be waited on by greenlets, runs jobs in processes
that live on, and knows neither limits nor process groups.
"""
