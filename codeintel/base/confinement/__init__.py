"""Confine processes that read hostile input, with kernel features that need no privileges.

`kernel` bounds the files, ports and processes that a process can reach. `filters` makes seccomp
programs from the tables in `system_calls`. `jobs` applies both to a worker process or to a program
that this service starts. `state` reports what the kernel of this machine supports.
"""
