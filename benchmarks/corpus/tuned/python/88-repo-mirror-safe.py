import subprocess
from pathlib import Path

from flask import Flask, abort, jsonify, request
from flask_login import login_required

app = Flask(__name__)
MIRRORS = Path("/srv/mirrors")


def run_git(*words: str) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        abort(502)
    return done.stdout


@app.get("/mirrors/<int:number>/log")
@login_required
def log(number: int):
    since = request.args.get("branch", "main")
    place = MIRRORS / str(number)
    if not place.is_dir():
        abort(404)
    if not since.isalnum():
        abort(400)
    text = run_git("-C", str(place), "log", "--oneline", since, "--")
    return jsonify(lines=text.splitlines()[:100])
