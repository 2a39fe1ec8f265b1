package example.notes;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;

public final class NoteVault {

    private static final String TRANSFORMATION = "AES/ECB/PKCS5Padding";

    private final SecretKey key;

    public NoteVault(KeyStore store, String alias, char[] password) throws GeneralSecurityException {
        this.key = (SecretKey) store.getKey(alias, password);
    }

    public String seal(String note) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        cipher.init(Cipher.ENCRYPT_MODE, key);
        byte[] sealed = cipher.doFinal(note.getBytes(StandardCharsets.UTF_8));
        return Base64.getEncoder().encodeToString(sealed);
    }
}
