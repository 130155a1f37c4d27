import type { JsonValue } from '../../document/json.js';
import type { SampleRequest } from './sample-request.js';

/** Returns a program that `java Sample.java` runs without a library. */
export function javaSample({ method, url, headers, body }: SampleRequest): string {
  const publisher = body === undefined ? 'noBody()' : 'ofString(body)';
  const lines = [
    `URI.create(${quote(url)}))`,
    `.method(${quote(method)}, HttpRequest.BodyPublishers.${publisher})`,
    ...headers.map(([name, value]) => `.header(${quote(name)}, ${quote(value)})`),
    '.build();',
  ];
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;

public class Sample {
    public static void main(String[] arguments) throws Exception {
${body === undefined ? '' : `        String body = ${textBlock(body)};\n`}        HttpRequest request = HttpRequest.newBuilder(${lines.join('\n            ')}
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .sendAsync(request, HttpResponse.BodyHandlers.ofString())
            .get(60, TimeUnit.SECONDS);
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`;
}

function textBlock(value: JsonValue): string {
  const lines = JSON.stringify(value, undefined, 2).replaceAll('\\', '\\\\');
  return `"""\n${ascii(lines).replaceAll(/^/gm, '            ')}
            """`;
}

function quote(text: string): string {
  return ascii(JSON.stringify(text));
}

/** Java before version 18 reads source in the encoding of the machine. */
function ascii(text: string): string {
  return text.replaceAll(
    /[^\n -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
