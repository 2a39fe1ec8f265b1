"""Validation of the tags that users put on their photographs."""
import re

from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView

from photos.models import Photo


def is_tag(value):
    return re.match(r"^([a-z0-9]+[-_.]?)+$", value) is not None


class TagSerializer(serializers.Serializer):
    tags = serializers.ListField(child=serializers.CharField(), max_length=20)

    def validate_tags(self, values):
        cleaned = []
        for value in values:
            value = value.strip().lower()
            if not is_tag(value):
                raise serializers.ValidationError("A tag has letters and digits only.")
            if value not in cleaned:
                cleaned.append(value)
        return cleaned


class PhotoTags(APIView):
    permission_classes = [IsAuthenticated]

    def put(self, request, pk):
        photo = Photo.objects.filter(pk=pk, owner=request.user).first()
        if photo is None:
            return Response(status=status.HTTP_404_NOT_FOUND)
        serializer = TagSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        photo.tags = serializer.validated_data["tags"]
        photo.save(update_fields=["tags"])
        return Response({"tags": photo.tags})
