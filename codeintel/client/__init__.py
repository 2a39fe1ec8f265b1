"""A client for the service's HTTP interface.

Other packages import only this module, `answers`, `repository.discovery`, `repository.git`,
`repository.naming`, `repository.reach`, `scans`, `sse`, `workspaces.api`, `workspaces.disk`,
`workspaces.git`, `workspaces.state` and `workspaces.walk`.
"""

from codeintel.client.answers import ApiError, ClientError, ConnectionFailed, StreamBroken
from codeintel.client.api import Client

__all__ = ["ApiError", "Client", "ClientError", "ConnectionFailed", "StreamBroken"]
