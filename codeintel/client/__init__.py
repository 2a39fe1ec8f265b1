"""A client for the service's HTTP interface."""

from codeintel.client.answers import ApiError, ClientError, ConnectionFailed, StreamBroken
from codeintel.client.api import Client

__all__ = ["ApiError", "Client", "ClientError", "ConnectionFailed", "StreamBroken"]
