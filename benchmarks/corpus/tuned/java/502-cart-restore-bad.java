package com.example.cart;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.Base64;

@WebServlet("/cart/restore")
public class CartRestoreServlet extends HttpServlet {
    private static final int MAX_STATE = 16_384;

    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String state = req.getParameter("state");
        if (state == null || state.length() > MAX_STATE) {
            resp.sendError(HttpServletResponse.SC_BAD_REQUEST);
            return;
        }
        CartState cart = restore(state);
        req.getSession().setAttribute("cart", cart);
        resp.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }

    private CartState restore(String state) throws IOException {
        byte[] bytes = Base64.getUrlDecoder().decode(state);
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return (CartState) in.readObject();
        } catch (ClassNotFoundException | ClassCastException e) {
            throw new IOException("not a cart", e);
        }
    }
}
