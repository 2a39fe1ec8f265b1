package game.state;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.Base64;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletRequest;

public class StateReader {
    private static final String COOKIE = "state";

    public GameState read(HttpServletRequest request) throws IOException, ClassNotFoundException {
        if (request.getCookies() == null) {
            return new GameState();
        }
        for (Cookie cookie : request.getCookies()) {
            if (COOKIE.equals(cookie.getName())) {
                return decode(cookie.getValue());
            }
        }
        return new GameState();
    }

    private GameState decode(String value) throws IOException, ClassNotFoundException {
        byte[] bytes = Base64.getUrlDecoder().decode(value);
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return (GameState) in.readObject();
        }
    }
}
