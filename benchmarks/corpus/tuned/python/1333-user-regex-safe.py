import re

from flask import Flask, jsonify, request
from flask_login import login_required

app = Flask(__name__)
TITLES = ["Harbour lights", "The long pier"]


@app.get("/titles")
@login_required
def titles():
    wanted = request.args.get("q", "")[:60]
    pattern = re.compile(re.escape(wanted), re.IGNORECASE)
    return jsonify([title for title in TITLES if pattern.search(title)])
