package archive.stamp;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

public class StampServlet extends HttpServlet {

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String label = request.getParameter("label");
        String command = "qpdf-stamp --label \"" + label + "\" /srv/archive/current.pdf";
        Process process = Runtime.getRuntime().exec(new String[] {"/bin/sh", "-c", command});
        try {
            boolean done = process.waitFor(30, TimeUnit.SECONDS);
            response.setStatus(done && process.exitValue() == 0 ? 204 : 500);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            response.setStatus(503);
        } finally {
            process.destroy();
        }
    }
}
