package ops;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Pattern;

class BackupHandler implements HttpHandler {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,30}");

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        String database = exchange.getRequestURI().getQuery().replaceFirst("^db=", "");
        Process process = Runtime.getRuntime().exec(new String[] {"bash", "-c", "pg_dump " + database + " | gzip > /backup/" + database + ".gz"});
        try {
            int code = process.waitFor();
            exchange.sendResponseHeaders(code == 0 ? 204 : 500, -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }
}
