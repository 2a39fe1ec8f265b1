"""A client for the service's HTTP interface."""

from codeintel.client.api import Client
from codeintel.client.errors import ApiError, ClientError, ConnectionFailed, StreamBroken

__all__ = ["ApiError", "Client", "ClientError", "ConnectionFailed", "StreamBroken"]
