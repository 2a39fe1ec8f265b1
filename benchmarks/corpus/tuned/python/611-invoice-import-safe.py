"""Import of supplier invoices that arrive as XML."""
from decimal import Decimal, InvalidOperation

from django.contrib.auth.decorators import permission_required
from django.http import HttpResponseBadRequest, JsonResponse
from django.views.decorators.http import require_POST
from lxml import etree

from billing.models import Invoice

MAX_SIZE = 512 * 1024


def read_lines(root):
    for node in root.iterfind("line"):
        amount = Decimal(node.findtext("amount", "0"))
        if not amount.is_finite():
            raise InvalidOperation("not an amount")
        yield node.findtext("article", ""), amount


def parse_invoice(stream):
    tree = etree.parse(stream, etree.XMLParser(load_dtd=False, resolve_entities=False, no_network=True))
    root = tree.getroot()
    return {
        "number": root.findtext("number", ""),
        "note": root.findtext("note", ""),
        "lines": list(read_lines(root)),
    }


@require_POST
@permission_required("billing.add_invoice", raise_exception=True)
def import_invoice(request):
    upload = request.FILES.get("invoice")
    if upload is None or upload.size > MAX_SIZE:
        return HttpResponseBadRequest("no usable file")
    try:
        data = parse_invoice(upload)
    except (etree.XMLSyntaxError, InvalidOperation):
        return HttpResponseBadRequest("not an invoice")
    total = sum((amount for _, amount in data["lines"]), Decimal(0))
    invoice = Invoice.objects.create(number=data["number"], note=data["note"], total=total)
    return JsonResponse({"id": invoice.pk, "note": invoice.note, "total": str(total)})
