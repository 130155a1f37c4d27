using System;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

class Program
{
    // A redirect would send the key to another host.
    static readonly HttpClientHandler handler = new HttpClientHandler { AllowAutoRedirect = false };
    static readonly HttpClient client = new HttpClient(handler) { Timeout = TimeSpan.FromSeconds(30) };
    static string idToken;

    static async Task Main()
    {
        var password = Convert.ToBase64String(Encoding.UTF8.GetBytes(Setting("ADX_PASSWORD")));
        var tokens = await Call("/token", new { username = Setting("ADX_USERNAME"), password });
        idToken = (string)tokens["idToken"];

        Directory.CreateDirectory("statements");
        var customers = await Call("/coda-files", new { });
        var files = customers
            .SelectMany(customer => customer["ibans"])
            .SelectMany(account => account["files"])
            .ToList();
        Console.WriteLine($"{files.Count} new files");
        for (var start = 0; start < files.Count; start += 100)
        {
            var some = files.Skip(start).Take(100).ToList();
            foreach (var file in some)
            {
                var name = (string)file["fileName"];
                if (!Regex.IsMatch(name, @"\A[A-Za-z0-9][A-Za-z0-9_-]{4,}[.][a-z]+\z"))
                    throw new InvalidDataException("wrong file name: " + JsonConvert.ToString(name));
                await Save((string)file["urls"]["coda"], Path.Combine("statements", name));
                Console.WriteLine(name);
            }
            var fileIds = some.Select(file => (string)file["id"]);
            await Call("/coda-files/acknowledgements", new { fileIds });
        }
    }

    static string Setting(string name)
    {
        var value = Environment.GetEnvironmentVariable(name);
        if (string.IsNullOrEmpty(value)) throw new InvalidOperationException(name + " is not set");
        return value;
    }

    static async Task<JToken> Call(string path, object body)
    {
        var json = JsonConvert.SerializeObject(body);
        var answer = await Send(() =>
        {
            var request = new HttpRequestMessage(HttpMethod.Post, Setting("ADX_URL") + path);
            request.Headers.Add("x-api-key", Setting("ADX_API_KEY"));
            if (idToken != null) request.Headers.Add("authorization", "Bearer " + idToken);
            request.Content = new StringContent(json, Encoding.UTF8, "application/json");
            return request;
        });
        return JToken.Parse(Encoding.UTF8.GetString(answer));
    }

    static async Task Save(string url, string path)
    {
        var content = await Send(() => new HttpRequestMessage(HttpMethod.Get, url));
        var part = path + ".part";
        using (var file = new FileStream(part, FileMode.Create))
        {
            file.Write(content, 0, content.Length);
            file.Flush(true);
        }
        if (File.Exists(path)) File.Replace(part, path, null);
        else File.Move(part, path);
        if (Path.DirectorySeparatorChar != '/') return;
        var folder = open(Path.GetDirectoryName(path), 0);
        if (fsync(folder) != 0) throw new IOException(path + " cannot be written");
        close(folder);
    }

    static async Task<byte[]> Send(Func<HttpRequestMessage> createRequest)
    {
        for (var attempt = 1; ; attempt++)
        {
            var wait = TimeSpan.FromSeconds(Math.Pow(2, attempt));
            try
            {
                using (var request = createRequest())
                using (var answer = await client.SendAsync(request))
                {
                    var content = await answer.Content.ReadAsByteArrayAsync();
                    if (answer.IsSuccessStatusCode) return content;
                    var status = (int)answer.StatusCode;
                    if (attempt == 6 || !new[] { 429, 502, 503, 504 }.Contains(status))
                    {
                        // The rest of the address of a file would let anyone download it.
                        var address = request.RequestUri.GetLeftPart(UriPartial.Path);
                        var text = Encoding.UTF8.GetString(content);
                        throw new ApiException(address, status, text);
                    }
                    wait = answer.Headers.RetryAfter?.Delta ?? wait;
                }
            }
            catch (HttpRequestException) when (attempt < 6) { }
            catch (TaskCanceledException) when (attempt < 6) { }
            await Task.Delay(wait);
        }
    }

    // .NET itself cannot flush a folder to disk, which Linux and macOS need after a rename.
    [DllImport("libc")]
    static extern int open(string path, int flags);

    [DllImport("libc")]
    static extern int fsync(int file);

    [DllImport("libc")]
    static extern int close(int file);
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
