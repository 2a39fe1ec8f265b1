"""Preview of the greeting that guests see on the hotel's screens."""
from flask import Flask, abort, request
from jinja2 import Environment

app = Flask(__name__)
screens = Environment(autoescape=True)

LAYOUT = """<!doctype html>
<title>Preview</title>
<section class="screen">
  <h1>{{ hotel }}</h1>
  %s
</section>
"""
GREETING = "<p>Welcome, {{ name }}! Your room is {{ room }}.</p>"


def render_screen(name, room):
    body = GREETING
    template = screens.from_string(LAYOUT % body)
    return template.render(hotel="Harbour Inn", name=name, room=room)


@app.get("/preview/<int:room>")
def preview(room):
    name = request.args.get("name", "").strip()
    if not name or len(name) > 120:
        abort(400)
    if room < 100 or room > 499:
        abort(404)
    return render_screen(name, room)
