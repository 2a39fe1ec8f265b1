"""Small export service on the standard library's HTTP server."""
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

TIMETABLE = {"line-4": ["06:10", "06:40", "07:05"], "line-9": ["05:55", "07:20"]}


class ExportHandler(BaseHTTPRequestHandler):
    def do_GET(self):
        parts = urlsplit(self.path)
        line = parts.path.strip("/")
        if line not in TIMETABLE:
            self.send_error(404)
            return
        query = parse_qs(parts.query)
        title = query.get("save_as", [line])[0]
        body = json.dumps(TIMETABLE[line]).encode("utf-8")
        disposition = 'attachment; filename="%s.json"' % title
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Disposition", disposition)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main():
    with ThreadingHTTPServer(("127.0.0.1", 8077), ExportHandler) as server:
        server.serve_forever()


if __name__ == "__main__":
    main()
