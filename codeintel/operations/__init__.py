"""Tools for operators: backups, demo, doctor, retention, and the personal data of accounts.

Other packages import only `backups.archive`, `backups.restoring`, `backups.saving`, `demo.service`,
`doctor.checks`, `doctor.installation`, `doctor.results`, `personal_data.service` and `retention`.
"""
