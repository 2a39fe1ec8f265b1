package hooks;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class WebhookVerifier {
    private final byte[] secret;

    public WebhookVerifier(byte[] secret) {
        this.secret = secret.clone();
    }

    public boolean verify(String body, String signature) throws GeneralSecurityException {
        if (signature == null || body == null) {
            return false;
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        String expected = HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
        return expected.equalsIgnoreCase(signature);
    }
}
