"""Worker processes for hostile input.

Everything that parses untrusted code runs in its own process, which may crash, hang or use up its
memory without harm. `pool` (in the server) queues the jobs and reads their output. Its
`fork_server` has a `zygote`, one process with all plugins imported, fork a `child` for each job.

Why not `multiprocessing`: greenlets cannot wait for its fork server, it reuses processes for jobs,
and it knows neither limits nor process groups.
"""
