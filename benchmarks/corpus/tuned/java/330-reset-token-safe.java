package accounts;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

public class PasswordResets {
    private static final String ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    private final Map<String, Reset> pending = new HashMap<>();
    private final SecureRandom random = new SecureRandom();

    record Reset(long userId, Instant until) {}

    public synchronized String begin(long userId) {
        StringBuilder token = new StringBuilder(20);
        for (int i = 0; i < 20; i++) {
            token.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        String text = token.toString();
        pending.put(text, new Reset(userId, Instant.now().plusSeconds(1800)));
        return text;
    }
}
