import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Sync {
    static final ObjectMapper mapper = new ObjectMapper();
    static final HttpClient client = HttpClient.newHttpClient();
    static String authorization = "";

    public static void main(String[] arguments) throws Exception {
        byte[] password = setting("ADX_PASSWORD").getBytes(StandardCharsets.UTF_8);
        JsonNode tokens = call("/token", Map.of(
            "username", setting("ADX_USERNAME"),
            "password", Base64.getEncoder().encodeToString(password)));
        authorization = "Bearer " + tokens.get("idToken").asText();

        Path folder = Files.createDirectories(Path.of("statements"));
        List<JsonNode> files = new ArrayList<>();
        for (JsonNode customer : call("/coda-files", Map.of())) {
            for (JsonNode account : customer.get("ibans")) {
                account.get("files").forEach(files::add);
            }
        }
        System.out.println(files.size() + " new files");
        for (int start = 0; start < files.size(); start += 100) {
            List<JsonNode> some = files.subList(start, Math.min(start + 100, files.size()));
            for (JsonNode file : some) {
                String name = file.get("fileName").asText();
                if (!name.matches("[A-Za-z0-9][A-Za-z0-9_-]{4,}[.][a-z]+")) {
                    throw new IOException("wrong file name: " + file.get("fileName"));
                }
                save(file.at("/urls/coda").asText(), folder.resolve(name));
                System.out.println(name);
            }
            List<String> ids = some.stream().map(file -> file.get("id").asText()).toList();
            call("/coda-files/acknowledgements", Map.of("fileIds", ids));
        }
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

    static void save(String url, Path path) throws Exception {
        ByteBuffer content = ByteBuffer.wrap(send(HttpRequest.newBuilder(URI.create(url))));
        Path part = path.resolveSibling(path.getFileName() + ".part");
        try (FileChannel file = FileChannel.open(part, StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            while (content.hasRemaining()) file.write(content);
            file.force(true);
        }
        Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
        if (System.getProperty("os.name").startsWith("Windows")) return;
        try (FileChannel folder = FileChannel.open(path.getParent())) {
            folder.force(true);
        }
    }

    static byte[] send(HttpRequest.Builder builder) throws Exception {
        HttpRequest request = builder.build();
        for (int attempt = 1; ; attempt++) {
            long wait = 1L << attempt;
            try {
                // A timeout of the request would end with the headers of the answer.
                HttpResponse<byte[]> answer = client
                    .sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                    .get(30, TimeUnit.SECONDS);
                int status = answer.statusCode();
                if (status < 300) return answer.body();
                if (attempt == 6 || !Set.of(429, 502, 503, 504).contains(status)) {
                    // The rest of the address of a file would let anyone download it.
                    String address = request.uri().toString().split("[?]")[0];
                    String text = new String(answer.body(), StandardCharsets.UTF_8);
                    throw new ApiException(address, status, text);
                }
                String after = answer.headers().firstValue("retry-after").orElse("");
                if (after.matches("\\d+")) wait = Long.parseLong(after);
            } catch (ExecutionException | TimeoutException error) {
                if (attempt == 6) throw error;
            }
            Thread.sleep(wait * 1000);
        }
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
