"""Catalogue search for the spare-parts shop."""
import sqlite3

from flask import Flask, current_app, g, jsonify, request

app = Flask(__name__)
app.config["DATABASE"] = "catalogue.db"
SORTABLE = {"name": "name", "price": "price_cents", "newest": "created_at DESC"}


def db():
    if "db" not in g:
        g.db = sqlite3.connect(current_app.config["DATABASE"])
        g.db.row_factory = sqlite3.Row
    return g.db


@app.teardown_appcontext
def close_db(_exc):
    conn = g.pop("db", None)
    if conn is not None:
        conn.close()


def build_filters(args):
    clauses, values = ["published = 1"], []
    if args.get("q"):
        clauses.append("name LIKE ?")
        values.append(f"%{args['q']}%")
    if args.get("maker"):
        clauses.append("maker = ?")
        values.append(args["maker"])
    return " AND ".join(clauses), values


@app.get("/parts")
def list_parts():
    where, values = build_filters(request.args)
    order = SORTABLE.get(request.args.get("sort", ""), "name")
    query = f"SELECT id, name, maker, price_cents FROM part WHERE {where} ORDER BY {order} LIMIT 50"
    rows = db().execute(query, values).fetchall()
    return jsonify([dict(row) for row in rows])
