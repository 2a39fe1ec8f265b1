"""Tariff calculator: partners send their own price formula."""
import ast
import operator

from flask import Blueprint, abort, jsonify, request

from .auth import partner_required

tariffs = Blueprint("tariffs", __name__)
ALLOWED_NAMES = ("weight", "distance", "pieces")
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}


def evaluate(node, names):
    if isinstance(node, ast.Expression):
        return evaluate(node.body, names)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](evaluate(node.left, names), evaluate(node.right, names))
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return float(node.value)
    raise ValueError("formula not understood")


def quote(formula, parcel):
    names = {name: float(parcel.get(name, 0)) for name in ALLOWED_NAMES}
    return evaluate(ast.parse(formula, mode="eval"), names)


@tariffs.post("/tariffs/quote")
@partner_required
def quote_view():
    body = request.get_json()
    formula = body.get("formula", "")
    if not isinstance(formula, str) or len(formula) > 300:
        abort(400)
    try:
        results = [quote(formula, parcel) for parcel in body.get("parcels", [])[:100]]
    except (ValueError, SyntaxError):
        abort(422)
    return jsonify({"prices": results})
