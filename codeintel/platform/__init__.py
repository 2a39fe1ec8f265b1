"""The base of every service: settings, database, plugins, metrics, limits, workers and jobs.

Other packages import only `config`, `config.issuers`, `config.load`, `config.parse`, `db`,
`db.batches`, `db.leases`, `db.migrate`, `db.models`, `db.statements`, `db.writer`, `health`,
`jobs.kinds`, `jobs.messages`, `jobs.process`, `jobs.service`, `jobs.store`, `limits.concurrency`,
`limits.service`, `metrics.exposition`, `metrics.families`, `metrics.requests`, `metrics.table`,
`node_preparation`, `node_sandbox`, `plugins.manager`, `plugins.registry`, `shared_redis`,
`upstreams.fetching`, `upstreams.transport`, `upstreams.upstream`, `workers.fork_server`,
`workers.gathering`, `workers.pool`, `workers.text_functions` and `workers.text_pool`.
"""
