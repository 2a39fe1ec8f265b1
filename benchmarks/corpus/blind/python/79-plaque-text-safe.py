from flask import Flask, make_response, request
from markupsafe import escape

app = Flask(__name__)

PRICES = {"brass": 48, "slate": 65, "oak": 39}


@app.route("/plaque")
def plaque_preview():
    text = request.args.get("text", "Your text here")
    material = request.args.get("material", "brass")
    price = PRICES.get(material, PRICES["brass"])
    parts = ["<!doctype html>", "<title>Plaque preview</title>"]
    parts.append("<div class='plaque'>" + str(escape(text)) + "</div>")
    parts.append("<p>Price: %d EUR</p>" % price)
    response = make_response("\n".join(parts))
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    return response
