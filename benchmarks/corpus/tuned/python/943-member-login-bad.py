"""Login of the members' area of a sailing club."""
from flask import Flask, jsonify, request, session
from pymongo import MongoClient

app = Flask(__name__)
app.config.from_envvar("CLUB_SETTINGS")
members = MongoClient(app.config["MONGO_URL"]).club.members


def public_view(member):
    return {"id": str(member["_id"]), "boat": member.get("boat")}


@app.route("/login", methods=["POST"])
def login():
    body = request.get_json()
    name = body.get("name")
    pin = body.get("pin")
    if name is None or pin is None:
        return jsonify(error="name and pin are needed"), 400
    member = members.find_one({"name": name, "pin": pin})
    if member is None:
        return jsonify(error="unknown member"), 401
    session["member"] = str(member["_id"])
    return jsonify(public_view(member))
