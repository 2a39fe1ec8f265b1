import subprocess

from django.http import HttpResponse


def export(request, name):
    subprocess.run("export-table " + name, shell=True, check=True)
    return HttpResponse("done")


def page(request, number):
    return HttpResponse(str(number))
