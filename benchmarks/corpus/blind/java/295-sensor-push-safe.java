package sensors;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

public class SensorPush {

    private final KeyStore stationCertificates;

    public SensorPush(KeyStore stationCertificates) {
        this.stationCertificates = stationCertificates;
    }

    public int push(URI station, String reading) throws Exception {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(stationCertificates);
        TrustManager[] managers = factory.getTrustManagers();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers, null);
        HttpClient client = HttpClient.newBuilder().sslContext(context).build();
        HttpRequest request = HttpRequest.newBuilder(station.resolve("/readings"))
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(reading))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
