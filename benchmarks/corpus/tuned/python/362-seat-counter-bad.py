"""Sells the seats of one performance to many visitors at once."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Performance:
    def __init__(self, seats: int):
        self._free = seats
        self._sold = []
        self._log_lock = threading.Lock()

    def reserve(self, count: int) -> bool:
        if count < 1 or self._free < count:
            return False
        self._free = self._free - count
        with self._log_lock:
            self._sold.append(count)
        return True


EVENING = Performance(seats=420)


class BoxOffice(BaseHTTPRequestHandler):
    def do_POST(self):
        try:
            size = max(0, min(int(self.headers.get("Content-Length", "0")), 1024))
            count = int(json.loads(self.rfile.read(size))["count"])
        except (ValueError, KeyError, TypeError):
            self.send_error(400)
            return
        self.send_response(201 if EVENING.reserve(count) else 409)
        self.end_headers()


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 8090), BoxOffice) as server:
        server.serve_forever()
