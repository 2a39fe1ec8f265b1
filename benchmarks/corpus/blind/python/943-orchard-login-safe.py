import bcrypt
from flask import Blueprint, abort, current_app, jsonify, request, session

bp = Blueprint("growers", __name__)


@bp.post("/growers/sign-in")
def sign_in():
    body = request.get_json()
    grower = str(body.get("grower", ""))
    password = body.get("password", "")
    if not isinstance(password, str):
        abort(400)
    growers = current_app.mongo.orchard.growers
    record = growers.find_one({"name": grower, "active": True})
    if record is None:
        abort(401)
    if not bcrypt.checkpw(password.encode(), record["password_hash"]):
        abort(401)
    session.clear()
    session["grower_id"] = str(record["_id"])
    return jsonify(name=record["name"], plots=record.get("plots", []))
