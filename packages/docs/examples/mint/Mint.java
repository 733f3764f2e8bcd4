import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

public class Mint {
    public static void main(String[] arguments) throws Exception {
        var env = System.getenv();
        var body = "{ \"userEmail\": \"west@acme.example\", \"baseUrl\": \"%s\" }"
                .formatted(env.get("ACME_BASE_URL"));
        var request = HttpRequest.newBuilder(URI.create(env.get("REPORTS_URL") + "/api/identity/url"))
                .timeout(Duration.ofSeconds(5))
                .header("X-API-Key", env.get("ACME_API_KEY"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        if (response.statusCode() != 200) throw new IllegalStateException(response.body());
        System.out.println(response.body());
    }
}
