package com.example.members;

import java.io.IOException;
import java.util.Optional;
import javax.servlet.ServletException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;

@WebServlet("/login")
public class MemberLoginServlet extends HttpServlet {
    private final transient MemberDirectory members = MemberDirectory.open();

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        String email = request.getParameter("email");
        String password = request.getParameter("password");
        Optional<Member> member = members.authenticate(email, password);
        if (member.isEmpty()) {
            request.setAttribute("message", "Email or password is wrong.");
            request.getRequestDispatcher("/WEB-INF/login.jsp").forward(request, response);
            return;
        }
        HttpSession session = request.getSession();
        request.changeSessionId();
        session.setMaxInactiveInterval(30 * 60);
        session.setAttribute("memberId", member.get().id());
        response.sendRedirect(request.getContextPath() + "/home");
    }
}
