from django.http import HttpResponse

from storage import DocumentStore

store = DocumentStore("/srv/documents")


def show(request):
    name = request.GET["document"]
    return HttpResponse(store.read(name), content_type="text/plain")
