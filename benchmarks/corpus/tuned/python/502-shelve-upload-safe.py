import shelve
import tempfile
import json
from flask import Flask, jsonify, request
from flask_login import login_required

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 5_000_000


@app.post("/models")
@login_required
def check_model():
    sent = request.files["model"]
    with tempfile.NamedTemporaryFile() as kept:
        sent.save(kept.name)
        with open(kept.name, encoding="utf-8") as handle:
            model = json.load(handle)
    return jsonify(features=list(model["features"]))
