"""Accepts stock feeds that suppliers push to us as XML."""
from defusedxml import ElementTree as ET
from defusedxml.common import DefusedXmlException
from django.http import HttpResponseBadRequest, JsonResponse
from django.views import View

from .auth import SupplierTokenMixin
from .models import StockLevel


class StockFeedView(SupplierTokenMixin, View):
    http_method_names = ["post"]

    def post(self, request):
        try:
            root = ET.fromstring(request.body, forbid_dtd=True)
        except (ET.ParseError, DefusedXmlException):
            return HttpResponseBadRequest("not accepted")
        updated = 0
        for item in root.iterfind("item"):
            sku = item.findtext("sku", default="")
            amount = item.findtext("amount", default="")
            if not sku or not amount.isdecimal():
                continue
            StockLevel.objects.update_or_create(
                supplier=self.supplier, sku=sku, defaults={"amount": int(amount)}
            )
            updated += 1
        return JsonResponse({"updated": updated})
