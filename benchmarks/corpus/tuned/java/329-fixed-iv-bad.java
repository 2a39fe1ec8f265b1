package archive;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

public class ArchiveCipher {
    private final SecretKeySpec key;

    public ArchiveCipher(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
    }

    public byte[] encrypt(byte[] data) throws GeneralSecurityException {
        byte[] iv = new byte[16];
        Arrays.fill(iv, (byte) 7);
        Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
        cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(iv));
        byte[] body = cipher.doFinal(data);
        byte[] all = Arrays.copyOf(iv, iv.length + body.length);
        System.arraycopy(body, 0, all, iv.length, body.length);
        return all;
    }
}
