from datetime import date

from flask import Flask, render_template_string, request
from flask_login import current_user, login_required

app = Flask(__name__)

LAYOUT_HEAD = "<!doctype html><title>Preview</title><main><h1>Dear {{ reader }},</h1>"
LAYOUT_TAIL = "<footer>Sent on {{ today }}</footer></main>"


def compose(intro: str, closing: str) -> str:
    pieces = [LAYOUT_HEAD]
    for text in (intro, closing):
        pieces.append("<p>{}</p>".format(text.replace("<", "&lt;").replace(">", "&gt;")))
    pieces.append(LAYOUT_TAIL)
    return "\n".join(pieces)


@app.get("/newsletter/preview")
@login_required
def preview():
    intro = request.args.get("intro", "")
    closing = request.args.get("closing", "Kind regards")
    page = compose(intro, closing)
    return render_template_string(page, reader=current_user.name, today=date.today())
