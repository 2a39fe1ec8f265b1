from django.contrib.auth.decorators import login_required
from django.http import HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views import View
from django.utils.decorators import method_decorator

from .forms import AnswerForm


@method_decorator(login_required, name="dispatch")
class FinishSurvey(View):
    def post(self, request, survey_id):
        form = AnswerForm(request.POST)
        if not form.is_valid():
            return HttpResponseRedirect(reverse("survey", args=[survey_id]))
        form.save_for(request.user, survey_id)
        target = request.POST.get("return_to") or reverse("survey-list")
        if not url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=True):
            target = reverse("survey-list")
        return HttpResponseRedirect(target)
