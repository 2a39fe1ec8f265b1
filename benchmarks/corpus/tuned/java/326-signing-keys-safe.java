package com.example.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Command line: makes the key pair that signs our release notes. */
public class SigningKeys {
    public static void main(String[] args) throws IOException, NoSuchAlgorithmException {
        if (args.length != 1) {
            System.err.println("usage: signing-keys FOLDER");
            System.exit(2);
        }
        Path folder = Path.of(args[0]);
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(3072);
        KeyPair pair = generator.generateKeyPair();

        Path secret = folder.resolve("release.key");
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        Files.createFile(secret, ownerOnly);
        Files.writeString(secret, encode(pair.getPrivate().getEncoded()));
        Files.writeString(folder.resolve("release.pub"), encode(pair.getPublic().getEncoded()));
    }

    private static String encode(byte[] der) {
        return Base64.getMimeEncoder().encodeToString(der) + System.lineSeparator();
    }
}
