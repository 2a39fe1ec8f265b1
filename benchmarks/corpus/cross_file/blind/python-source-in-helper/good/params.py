from flask import request


def query_value(key):
    return request.args.get(key)


def page_number():
    return int(request.args.get("page", "1"))
