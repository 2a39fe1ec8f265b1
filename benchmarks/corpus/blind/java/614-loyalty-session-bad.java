package loyalty.web;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.security.SecureRandom;
import java.util.HexFormat;

public class LoyaltySessions {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int ONE_WEEK = 7 * 24 * 3600;

    public String issue(HttpServletResponse response) {
        byte[] bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        String session = HexFormat.of().formatHex(bytes);
        Cookie cookie = new Cookie("LOYALTYSESSION", session);
        cookie.setHttpOnly(true);
        cookie.setSecure(false);
        cookie.setPath("/");
        cookie.setMaxAge(ONE_WEEK);
        response.addCookie(cookie);
        return session;
    }
}
