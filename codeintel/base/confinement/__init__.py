"""Confines processes that read hostile input, with what the kernel offers to unprivileged programs.

`kernel` bounds the files, ports and processes that a process can reach; `filters` makes seccomp
programs from the tables in `system_calls`; `jobs` applies both to a worker process or to a program
that this service starts; `state` says what the kernel of this machine offers.
"""
