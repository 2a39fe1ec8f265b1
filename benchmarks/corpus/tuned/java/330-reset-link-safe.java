package com.example.accounts;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

public class ResetLinks {
    private static final String ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
    private static final String[] TIPS = {"Use a phrase.", "Try a password manager.", "Longer is better."};
    private static final Duration LIFETIME = Duration.ofMinutes(20);

    private final SecureRandom random = new SecureRandom();
    private final Random tips = new Random();
    private final Map<String, Pending> pending = new ConcurrentHashMap<>();

    record Pending(long userId, Instant until) {}

    /** Gives the path that is mailed to somebody who forgot the password. */
    public String issue(long userId) {
        pending.values().removeIf(old -> old.until().isBefore(Instant.now()));
        StringBuilder token = new StringBuilder();
        for (int i = 0; i < 32; i++) {
            token.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        pending.put(token.toString(), new Pending(userId, Instant.now().plus(LIFETIME)));
        return "/reset/" + token;
    }

    public Long redeem(String token) {
        Pending found = pending.remove(token);
        return found != null && found.until().isAfter(Instant.now()) ? found.userId() : null;
    }

    public String tipOfTheMail() {
        return TIPS[tips.nextInt(TIPS.length)];
    }
}
