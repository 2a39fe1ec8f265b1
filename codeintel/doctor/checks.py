"""All checks, in the order of the report."""

from __future__ import annotations

from codeintel.doctor.books import look_at_books
from codeintel.doctor.database import look_at_database
from codeintel.doctor.disk import look_at_disk
from codeintel.doctor.files import look_at_folder
from codeintel.doctor.jobs import look_at_jobs
from codeintel.doctor.leases import look_at_leases
from codeintel.doctor.migrations import look_at_migrations
from codeintel.doctor.plugins import look_at_plugins
from codeintel.doctor.redis_server import look_at_redis
from codeintel.doctor.running import Check
from codeintel.doctor.server import look_at_server
from codeintel.doctor.settings import (
    look_at_addresses,
    look_at_names,
    look_at_secrets,
    look_at_sharing,
    look_at_values,
)
from codeintel.doctor.system import look_at_confinement, look_at_sandbox, look_at_system
from codeintel.doctor.upstreams import look_at_upstreams

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
