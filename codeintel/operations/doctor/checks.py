"""All checks, in the order of the report."""

from __future__ import annotations

from codeintel.operations.doctor.data.books import look_at_books
from codeintel.operations.doctor.data.database import look_at_database
from codeintel.operations.doctor.data.jobs import look_at_jobs
from codeintel.operations.doctor.data.leases import look_at_leases
from codeintel.operations.doctor.data.migrations import look_at_migrations
from codeintel.operations.doctor.data.redis_server import look_at_redis
from codeintel.operations.doctor.machine.disk import look_at_disk
from codeintel.operations.doctor.machine.files import look_at_folder
from codeintel.operations.doctor.machine.plugins import look_at_plugins
from codeintel.operations.doctor.machine.server import look_at_server
from codeintel.operations.doctor.machine.settings import (
    look_at_addresses,
    look_at_names,
    look_at_secrets,
    look_at_sharing,
    look_at_values,
)
from codeintel.operations.doctor.machine.system import (
    look_at_confinement,
    look_at_sandbox,
    look_at_system,
)
from codeintel.operations.doctor.outside.upstreams import look_at_upstreams
from codeintel.operations.doctor.running import Check

CHECKS = (
    Check("settings.values", look_at_values),
    Check("settings.names", look_at_names),
    Check("settings.secrets", look_at_secrets),
    Check("settings.addresses", look_at_addresses),
    Check("settings.sharing", look_at_sharing),
    Check("files", look_at_folder),
    Check("database", look_at_database),
    Check("migrations", look_at_migrations),
    Check("redis", look_at_redis),
    Check("plugins", look_at_plugins),
    Check("upstreams", look_at_upstreams),
    Check("disk", look_at_disk),
    Check("system", look_at_system),
    Check("system.confinement", look_at_confinement),
    Check("system.sandbox", look_at_sandbox),
    Check("server", look_at_server),
    Check("jobs", look_at_jobs),
    Check("leases", look_at_leases),
    Check("ledger", look_at_books),
)
