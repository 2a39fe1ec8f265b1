package example.notes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

public final class NoteVault {

    private static final String TRANSFORMATION = "AES/GCM/NoPadding";
    private static final int NONCE = 12;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretKey key;

    public NoteVault(KeyStore store, String alias, char[] password) throws GeneralSecurityException {
        this.key = (SecretKey) store.getKey(alias, password);
    }

    public String seal(String note) throws GeneralSecurityException {
        byte[] nonce = new byte[NONCE];
        RANDOM.nextBytes(nonce);
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce));
        byte[] sealed = cipher.doFinal(note.getBytes(StandardCharsets.UTF_8));
        byte[] record = ByteBuffer.allocate(NONCE + sealed.length).put(nonce).put(sealed).array();
        return Base64.getEncoder().encodeToString(record);
    }
}
