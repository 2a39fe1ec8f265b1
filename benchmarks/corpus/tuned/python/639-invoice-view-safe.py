from billing.models import Invoice
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe


def as_dict(invoice):
    return {
        "number": invoice.number,
        "issued": invoice.issued.isoformat(),
        "total": str(invoice.total),
        "address": invoice.address,
    }


@require_safe
@login_required
def invoice_list(request):
    mine = Invoice.objects.filter(account=request.user.account).order_by("-issued")
    page = Paginator(mine, 25).get_page(request.GET.get("page"))
    return JsonResponse({"invoices": [as_dict(i) for i in page]})


@require_safe
@login_required
def invoice_detail(request, invoice_id):
    invoice = get_object_or_404(Invoice, pk=invoice_id, account=request.user.account)
    lines = [{"text": line.text, "amount": str(line.amount)} for line in invoice.lines.all()]
    return JsonResponse({**as_dict(invoice), "lines": lines})
