using System;
using System.Globalization;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

class Program
{
    // A redirect would send the key to another host.
    static readonly HttpClientHandler handler = new HttpClientHandler { AllowAutoRedirect = false };
    static readonly HttpClient client = new HttpClient(handler);
    static string idToken;

    static async Task Main()
    {
        var password = Convert.ToBase64String(Encoding.UTF8.GetBytes(Setting("ADX_PASSWORD")));
        var tokens = await Call("/token", new { username = Setting("ADX_USERNAME"), password });
        idToken = (string)tokens["idToken"];
        var credentials = await Call("/coda-files/upload-credentials", new { });
        await Put(credentials, "statement.cod", Encoding.ASCII.GetBytes("This is not a statement."));

        var prefix = (string)credentials["prefix"];
        var wanted = new { prefix, status = new[] { "processed", "rejected" } };
        foreach (var pause in new[] { 1, 2, 3, 5, 10, 20, 20, 20 })
        {
            await Task.Delay(TimeSpan.FromSeconds(pause));
            var uploads = (await Call("/uploads", wanted))["records"];
            foreach (var upload in uploads)
            {
                Console.WriteLine($"{upload["key"]} {upload["status"]}");
                foreach (var finding in upload["findings"])
                    Console.WriteLine($"{finding["severity"]} {finding["code"]} {finding["message"]}");
            }
            if (uploads.Any()) return;
        }
        throw new TimeoutException("no outcome yet: ask again later");
    }

    static string Setting(string name)
    {
        var value = Environment.GetEnvironmentVariable(name);
        if (string.IsNullOrEmpty(value)) throw new InvalidOperationException(name + " is not set");
        return value;
    }

    static async Task<JToken> Call(string path, object body)
    {
        var request = new HttpRequestMessage(HttpMethod.Post, Setting("ADX_URL") + path);
        request.Headers.Add("x-api-key", Setting("ADX_API_KEY"));
        if (idToken != null) request.Headers.Add("authorization", "Bearer " + idToken);
        var json = JsonConvert.SerializeObject(body);
        request.Content = new StringContent(json, Encoding.UTF8, "application/json");
        return JToken.Parse(await Send(request));
    }

    static async Task<string> Send(HttpRequestMessage request)
    {
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (answer.IsSuccessStatusCode) return text;
            // The rest of the address of the storage has a signature.
            var address = request.RequestUri.GetLeftPart(UriPartial.Path);
            throw new ApiException(address, (int)answer.StatusCode, text);
        }
    }

    static async Task Put(JToken credentials, string key, byte[] content)
    {
        string region = (string)credentials["region"], bucket = (string)credentials["bucketName"];
        // Without an endpoint, the storage is AWS.
        var endpoint = (string)credentials["endpoint"] ?? $"https://{{bucket}}.s3.{region}.amazonaws.com";
        var place = endpoint.Contains("{bucket}") ? endpoint.Replace("{bucket}", bucket) : $"{endpoint}/{bucket}";
        var address = new Uri($"{place}/{credentials["prefix"]}/{Uri.EscapeDataString(key)}");
        var now = DateTime.UtcNow.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture);
        var scope = $"{now.Substring(0, 8)}/{region}/s3/aws4_request";
        var query = "X-Amz-Algorithm=AWS4-HMAC-SHA256"
            + "&X-Amz-Credential=" + Uri.EscapeDataString($"{credentials["accessKeyId"]}/{scope}")
            + $"&X-Amz-Date={now}&X-Amz-Expires=300"
            + "&X-Amz-Security-Token=" + Uri.EscapeDataString((string)credentials["sessionToken"])
            + "&X-Amz-SignedHeaders=host";
        var canonical = $"PUT\n{address.AbsolutePath}\n{query}\nhost:{address.Authority}\n\nhost\nUNSIGNED-PAYLOAD";
        var hash = SHA256.Create().ComputeHash(Encoding.UTF8.GetBytes(canonical));
        var text = $"AWS4-HMAC-SHA256\n{now}\n{scope}\n{Hex(hash)}";
        var signature = Encoding.UTF8.GetBytes("AWS4" + credentials["secretAccessKey"]);
        foreach (var part in scope.Split('/').Concat(new[] { text }))
            signature = new HMACSHA256(signature).ComputeHash(Encoding.UTF8.GetBytes(part));
        var url = new Uri($"{address}?{query}&X-Amz-Signature={Hex(signature)}");
        await Send(new HttpRequestMessage(HttpMethod.Put, url) { Content = new ByteArrayContent(content) });
    }

    static string Hex(byte[] bytes)
    {
        return BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();
    }
}

/// An answer that is not a success, of the service or of the storage.
class ApiException : Exception
{
    public int Status { get; }

    /// Such as invalidApiKey; empty if the answer has none.
    public string Code { get; }

    public ApiException(string address, int status, string answer)
        : base($"{address}: {status} {answer}")
    {
        Status = status;
        Code = Regex.Match(answer, "\"error\": *\"([^\"]*)").Groups[1].Value;
    }
}
