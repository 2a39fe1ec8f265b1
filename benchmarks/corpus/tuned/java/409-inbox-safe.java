import java.util.zip.GZIPInputStream;
import jakarta.servlet.http.*;
import java.io.*;
public class Inbox extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(request.getInputStream())) {
            byte[] all = in.readNBytes(1 << 20);
            store(all);
        }
    }
}
