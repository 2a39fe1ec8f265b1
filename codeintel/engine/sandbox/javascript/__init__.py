"""Prepare JavaScript and TypeScript for the sandbox, and judge what the runs show.

`plan.prepared` reads both programs: it removes types, finds what changed, adds probes to the
changed code and chooses values. Parsing untrusted code is work for a worker process. `node` has the
scripts that run in the sandbox. They read no code: they call it and count what the probes meet.
`behaviour` connects both, and `evidence` turns the report of a run into a sentence.
"""
