import subprocess
from pathlib import Path

from django.contrib.auth.decorators import login_required
from django.http import JsonResponse
from django.views.decorators.http import require_POST

FONT_DIR = Path("/srv/foundry/fonts")


def build_command(source, family):
    return ["pyftsubset", str(source), "--unicodes=U+0020-007E", "--name-legacy=%s" % family]


@login_required
@require_POST
def convert(request):
    family = request.POST.get("family", "")
    source = FONT_DIR / "upload.ttf"
    command = build_command(source, family)
    done = subprocess.run(command, shell=False, capture_output=True, timeout=60)
    if done.returncode != 0:
        return JsonResponse({"status": "failed"}, status=422)
    return JsonResponse({"status": "converted", "family": family})
