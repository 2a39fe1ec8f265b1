package com.acme.web;

import com.acme.util.Params;
import java.io.FileInputStream;
import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

public class Download extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int number = Params.number(request, "file");
        try (FileInputStream stream = new FileInputStream("/srv/data/" + number + ".bin")) {
            stream.transferTo(response.getOutputStream());
        }
    }
}
