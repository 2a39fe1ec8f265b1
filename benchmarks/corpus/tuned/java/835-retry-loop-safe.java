package net.retry;

import java.io.IOException;
import java.util.function.Supplier;

public class Retry {
    public static <T> T call(Supplier<T> action, int limit) throws IOException {
        int attempt = 0;
        while (attempt < limit) {
            T result = action.get();
            if (result != null) {
                return result;
            }
            try {
                Thread.sleep(200L);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            attempt++;
        }
        throw new IOException("no answer after " + limit + " attempts");
    }
}
