"""Worker processes for hostile input.

Everything that parses what a caller sent runs in a process of its own that may crash, hang or eat
memory without harm. `pool` (in the server) asks `zygote` (one process, analysers imported) to fork
a `child` for each job and talks to that child over a socket.

Why not `multiprocessing`: its fork server cannot be waited on by greenlets, runs jobs in processes
that live on, and knows neither limits nor process groups.
"""
