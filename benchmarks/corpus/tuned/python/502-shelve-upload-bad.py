import shelve
import tempfile
import joblib
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
        model = joblib.load(kept.name)
    return jsonify(features=list(model.feature_names_in_))
