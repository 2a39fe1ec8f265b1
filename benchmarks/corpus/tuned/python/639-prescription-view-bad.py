from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from django.views import View

from .models import Prescription


class PrescriptionView(LoginRequiredMixin, View):
    http_method_names = ["get", "delete"]

    def _find(self, request, pk):
        return get_object_or_404(Prescription, pk=pk)

    def get(self, request, pk):
        item = self._find(request, pk)
        return JsonResponse({"id": item.pk, "drug": item.drug, "dose": item.dose})

    def delete(self, request, pk):
        self._find(request, pk).delete()
        return JsonResponse({}, status=204)
