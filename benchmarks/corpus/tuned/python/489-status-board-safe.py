"""Status board shown on the wall of the workshop."""
import argparse
import logging
import shutil

from flask import Flask, jsonify


def create_app() -> Flask:
    app = Flask(__name__)

    @app.get("/disk")
    def disk():
        total, used, _free = shutil.disk_usage("/")
        app.logger.debug("disk usage asked for")
        return jsonify({"total": total, "used": used})

    @app.get("/ping")
    def ping():
        return jsonify({"ok": True})

    return app


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--debug", action="store_true", help="more detail in the log")
    options = parser.parse_args()
    logging.basicConfig(level=logging.DEBUG if options.debug else logging.INFO)
    settings = {"host": "127.0.0.1", "port": options.port, "threaded": True}
    create_app().run(debug=False, **settings)


if __name__ == "__main__":
    main()
