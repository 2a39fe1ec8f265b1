package shop.web;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import shop.data.ItemDao;

public class ItemServlet extends HttpServlet {
    private final ItemDao dao = new ItemDao();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String category = request.getParameter("category");
        response.setContentType("application/json");
        response.setStatus(dao.count(category) > 0 ? 200 : 404);
    }
}
