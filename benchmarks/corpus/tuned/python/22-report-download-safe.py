from pathlib import Path

from django.conf import settings
from django.contrib.auth.decorators import permission_required
from django.http import FileResponse, Http404, JsonResponse
from django.views.decorators.http import require_GET

REPORTS = (Path(settings.MEDIA_ROOT) / "reports").resolve()


@require_GET
@permission_required("reports.view_report", raise_exception=True)
def index(request):
    names = sorted(p.name for p in REPORTS.glob("*.pdf"))
    return JsonResponse({"reports": names})


@require_GET
@permission_required("reports.view_report", raise_exception=True)
def download(request):
    wanted = request.GET.get("name", "").strip()
    path = (REPORTS / wanted).resolve()
    if not path.is_relative_to(REPORTS) or path.suffix != ".pdf":
        raise Http404("no such report")
    if not path.is_file():
        raise Http404("no such report")
    return FileResponse(path.open("rb"), as_attachment=True)
