from django.http import HttpResponse
from werkzeug.utils import secure_filename

from storage import DocumentStore

store = DocumentStore("/srv/documents")


def show(request):
    name = secure_filename(request.GET["document"])
    return HttpResponse(store.read(name), content_type="text/plain")
