"""Runs: work that is detached from the connection that requested it.

Other packages import only `cache`, `capabilities`, `capability_types`, `events.frames`,
`events.log`, `events.sharing`, `idempotency`, `listing`, `queries`, `sarif_files`,
`scans.analysis`, `scans.cross_file`, `scans.results`, `scans.scanner`, `scans.service`,
`scans.storage`, `scans.tables`, `service` and `store`.
"""
