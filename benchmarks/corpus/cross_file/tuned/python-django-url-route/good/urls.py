from django.urls import path

from . import views

urlpatterns = [
    path("exports/<str:name>/", views.export),
    path("pages/<int:number>/", views.page),
]
