package lockers;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;

public final class LockerCipher {

    private static final String TRANSFORMATION = "DES/CBC/PKCS5Padding";
    private final SecretKey key;

    public LockerCipher(SecretKey key) {
        this.key = key;
    }

    public String seal(String combination) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        cipher.init(Cipher.ENCRYPT_MODE, key);
        byte[] sealed = cipher.doFinal(combination.getBytes(StandardCharsets.UTF_8));
        Base64.Encoder encoder = Base64.getEncoder();
        return encoder.encodeToString(cipher.getIV()) + ":" + encoder.encodeToString(sealed);
    }
}
