"""Receives delivery callbacks from the parcel service."""
import logging

from bottle import Bottle, HTTPResponse, request
from parcels.auth import check_signature
from parcels.store import mark_delivered

logging.basicConfig(
    filename="callbacks.log", level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s"
)
log = logging.getLogger("parcels")
app = Bottle()


def note(event, **details):
    text = " ".join(f"{key}={value}" for key, value in details.items())
    log.info("%s %s", event, text)


@app.post("/callbacks/delivery")
def delivery():
    if not check_signature(request):
        return HTTPResponse(status=403)
    parcel = request.forms.getunicode("parcel", "")
    signer = request.forms.getunicode("signed_by", "")
    found = mark_delivered(parcel, signer)
    note("delivery", parcel=parcel, signed_by=signer, found=found)
    return {"accepted": bool(found)}
