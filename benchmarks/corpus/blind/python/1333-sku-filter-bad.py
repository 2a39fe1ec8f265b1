import re

from flask import Blueprint, jsonify, request

bp = Blueprint("stock", __name__, url_prefix="/stock")

@bp.post("/check")
def check_skus():
    payload = request.get_json()
    accepted, rejected = [], []
    for line in payload.get("skus", []):
        candidate = str(line).strip().upper()
        if re.match(r"^([A-Z0-9]+-?)+$", candidate):
            accepted.append(candidate)
        else:
            rejected.append(candidate)
    return jsonify(accepted=accepted, rejected=rejected)
