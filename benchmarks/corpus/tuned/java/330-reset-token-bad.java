package accounts;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

public class PasswordResets {
    private static final String ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    private final Map<String, Reset> pending = new HashMap<>();

    record Reset(long userId, Instant until) {}

    public synchronized String begin(long userId) {
        StringBuilder token = new StringBuilder(20);
        for (int i = 0; i < 20; i++) {
            token.append(ALPHABET.charAt(ThreadLocalRandom.current().nextInt(ALPHABET.length())));
        }
        String text = token.toString();
        pending.put(text, new Reset(userId, Instant.now().plusSeconds(1800)));
        return text;
    }
}
