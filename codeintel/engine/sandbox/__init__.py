"""Running the original and the result side by side, in a sandbox that the kernel holds shut.

Nothing here runs unless an operator asks for it (`CODEINTEL_EXECUTION=bubblewrap`), and nothing
runs outside of the sandbox: where a probe finds a way out, nothing is run at all. `behaviour`
compares two programs, `inside` is all that is visible in a sandbox besides Python itself, and
`records.SandboxHost` is what this package asks of the program that starts sandboxes:
:mod:`codeintel.platform.sandbox`.

The sandboxes are started by the server, through gevent, and not by a worker process: a worker may
use 1 GiB and has its file limits and its niceness, all of which a sandbox would inherit, what it
starts is killed with its job only as far as the zygote knows it, and it exists to parse code, so it
is the wrong process to be trusted with starting others. Nothing of the code is looked at in the
server: it passes the code on, and gets back names and digests.
"""
