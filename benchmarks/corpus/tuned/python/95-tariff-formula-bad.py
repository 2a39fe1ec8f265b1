"""Tariff calculator: partners send their own price formula."""
from flask import Blueprint, abort, jsonify, request

from .auth import partner_required

tariffs = Blueprint("tariffs", __name__)
ALLOWED_NAMES = ("weight", "distance", "pieces")


def quote(formula, parcel):
    names = {name: float(parcel.get(name, 0)) for name in ALLOWED_NAMES}
    names["min"] = min
    names["max"] = max
    return eval(formula, {"__builtins__": {}}, names)


@tariffs.post("/tariffs/quote")
@partner_required
def quote_view():
    body = request.get_json()
    formula = body.get("formula", "")
    if not isinstance(formula, str) or len(formula) > 300:
        abort(400)
    results = []
    for parcel in body.get("parcels", [])[:100]:
        results.append(quote(formula, parcel))
    return jsonify({"prices": results})
