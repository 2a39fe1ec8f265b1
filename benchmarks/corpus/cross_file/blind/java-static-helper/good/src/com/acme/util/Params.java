package com.acme.util;

import javax.servlet.http.HttpServletRequest;

public final class Params {
    private Params() {}

    public static String text(HttpServletRequest request, String key) {
        return request.getParameter(key);
    }

    public static int number(HttpServletRequest request, String key) {
        return Integer.parseInt(request.getParameter(key));
    }
}
