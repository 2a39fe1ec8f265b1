import subprocess

from django.http import HttpResponse


def export(request, name):
    subprocess.run(["export-table", "--", name], check=True)
    return HttpResponse("done")


def page(request, number):
    subprocess.run("export-page %s" % number, shell=True, check=True)
    return HttpResponse(str(number))
