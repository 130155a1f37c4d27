import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Upload {
    static final ObjectMapper mapper = new ObjectMapper();
    static final HttpClient client = HttpClient.newHttpClient();
    static String authorization = "";

    public static void main(String[] arguments) throws Exception {
        JsonNode tokens = call("/token", Map.of(
            "username", setting("ADX_USERNAME"),
            "password", Base64.getEncoder().encodeToString(bytes(setting("ADX_PASSWORD")))));
        authorization = "Bearer " + tokens.get("idToken").asText();
        JsonNode credentials = call("/coda-files/upload-credentials", Map.of());
        put(credentials, "statement.cod", bytes("This is not a statement."));

        String prefix = credentials.get("prefix").asText();
        Map<String, ?> wanted = Map.of("prefix", prefix, "status", List.of("processed", "rejected"));
        for (int pause : new int[] {1, 2, 3, 5, 10, 20, 20, 20}) {
            Thread.sleep(pause * 1000);
            JsonNode uploads = call("/uploads", wanted).get("records");
            for (JsonNode upload : uploads) {
                System.out.println(line(upload, "key", "status"));
                for (JsonNode finding : upload.get("findings")) {
                    System.out.println(line(finding, "severity", "code", "message"));
                }
            }
            if (!uploads.isEmpty()) return;
        }
        throw new IllegalStateException("no outcome yet: ask again later");
    }

    static String setting(String name) {
        return Objects.requireNonNull(System.getenv(name), name + " is not set");
    }

    static JsonNode call(String path, Map<String, ?> body) throws Exception {
        return mapper.readTree(send(HttpRequest.newBuilder(URI.create(setting("ADX_URL") + path))
            .header("x-api-key", setting("ADX_API_KEY"))
            .header("authorization", authorization)
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(mapper.writeValueAsBytes(body)))));
    }

    static String send(HttpRequest.Builder builder) throws Exception {
        HttpRequest request = builder.build();
        // A timeout of the request would end with the headers of the answer.
        HttpResponse<String> answer = client
            .sendAsync(request, HttpResponse.BodyHandlers.ofString())
            .get(60, TimeUnit.SECONDS);
        if (answer.statusCode() < 300) return answer.body();
        // The rest of the address of the storage has a signature.
        String address = request.uri().toString().split("[?]")[0];
        throw new ApiException(address, answer.statusCode(), answer.body());
    }

    static void put(JsonNode credentials, String key, byte[] content) throws Exception {
        String region = credentials.get("region").asText(), bucket = credentials.get("bucketName").asText();
        // Without an endpoint, the storage is AWS.
        String endpoint = credentials.path("endpoint").asText("https://{bucket}.s3." + region + ".amazonaws.com");
        String base = endpoint.contains("{bucket}") ? endpoint.replace("{bucket}", bucket) : endpoint + "/" + bucket;
        URI address = URI.create(base + "/" + credentials.get("prefix").asText() + "/" + encode(key));
        String now = Instant.now().toString().replaceAll("[-:]|[.]\\d+", "");
        String scope = now.substring(0, 8) + "/" + region + "/s3/aws4_request";
        String query = "X-Amz-Algorithm=AWS4-HMAC-SHA256"
            + "&X-Amz-Credential=" + encode(credentials.get("accessKeyId").asText() + "/" + scope)
            + "&X-Amz-Date=" + now + "&X-Amz-Expires=300"
            + "&X-Amz-Security-Token=" + encode(credentials.get("sessionToken").asText())
            + "&X-Amz-SignedHeaders=host";
        String canonical = "PUT\n" + address.getRawPath() + "\n" + query + "\nhost:"
            + address.getAuthority() + "\n\nhost\nUNSIGNED-PAYLOAD";
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes(canonical));
        String text = "AWS4-HMAC-SHA256\n" + now + "\n" + scope + "\n" + HexFormat.of().formatHex(hash);
        byte[] signature = bytes("AWS4" + credentials.get("secretAccessKey").asText());
        for (String part : (scope + "/" + text).split("/", 5)) {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(signature, "HmacSHA256"));
            signature = mac.doFinal(bytes(part));
        }
        URI url = URI.create(address + "?" + query + "&X-Amz-Signature=" + HexFormat.of().formatHex(signature));
        send(HttpRequest.newBuilder(url).PUT(HttpRequest.BodyPublishers.ofByteArray(content)));
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String line(JsonNode record, String... names) {
        return String.join(" ", List.of(names).stream().map(name -> record.get(name).asText()).toList());
    }

    /** An answer that is not a success, of the service or of the storage. */
    @SuppressWarnings("serial")
    static class ApiException extends Exception {
        final int status;

        /** Such as invalidApiKey; empty if the answer has none. */
        final String code;

        ApiException(String address, int status, String answer) {
            super(address + ": " + status + " " + answer);
            Matcher error = Pattern.compile("\"error\": *\"([^\"]*)").matcher(answer);
            this.status = status;
            code = error.find() ? error.group(1) : "";
        }
    }
}
