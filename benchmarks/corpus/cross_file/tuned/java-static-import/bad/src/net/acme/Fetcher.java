package net.acme;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;

public class Fetcher {
    public void copy(String address, OutputStream output) throws IOException {
        try (InputStream input = new URL(address).openStream()) {
            input.transferTo(output);
        }
    }
}
