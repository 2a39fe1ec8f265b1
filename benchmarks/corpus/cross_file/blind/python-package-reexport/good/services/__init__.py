from .network import run_ping

__all__ = ["run_ping"]
