"""Run the original and the result side by side, in a sandbox that the kernel isolates.

Nothing here runs unless an operator sets `CODEINTEL_EXECUTION=bubblewrap`, and nothing runs outside
the sandbox. If a probe escapes, no code runs at all. `behaviour` compares two programs. `inside` is
the only code in a sandbox, in addition to Python itself. `records.SandboxHost` is the interface to
the program that starts sandboxes: :mod:`codeintel.platform.sandbox`.

The server starts the sandboxes, through gevent, and not a worker process. A sandbox would inherit a
worker's limits: 1 GiB of memory, file limits and niceness. Processes that a worker starts are only
killed with its job if the zygote knows them. A worker also parses hostile code, so it must not be
trusted to start other processes. The server never inspects the code: it passes the code on and
receives names and digests.
"""
