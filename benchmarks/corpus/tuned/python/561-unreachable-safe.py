import logging

log = logging.getLogger(__name__)


class Valve:
    def __init__(self, bus, number):
        self.bus = bus
        self.number = number

    def close(self):
        try:
            self.bus.send(self.number, 0)
        except OSError:
            log.error("valve %d did not close", self.number)
            raise

    def open(self, percent):
        if not 0 <= percent <= 100:
            raise ValueError("percent")
        self.bus.send(self.number, percent)
