"""Workspaces that editors push: stored by content, in revisions, edited online and pulled back.

Other packages import only `checks`, `diff`, `garbage_collector`, `proof.exports`,
`proof.pipeline`, `proof.reading`, `proof.service`, `proof.shapes`, `reading`, `records`,
`requests`, `revisions`, `search`, `service` and `tables`.
"""
