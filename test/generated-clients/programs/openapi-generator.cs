using System;
using System.Net.Http;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Org.OpenAPITools.Api;
using Org.OpenAPITools.Client;
using Org.OpenAPITools.Model;

class Program
{
    static string Setting(string name) => Environment.GetEnvironmentVariable(name);

    static void Main()
    {
        var http = new HttpClient();
        var configuration = new Configuration { BasePath = Setting("ADX_URL") };
        configuration.ApiKey["x-api-key"] = Setting("ADX_API_KEY");
        var credentials = new SignInRequest(Setting("ADX_USERNAME"), Setting("ADX_PASSWORD"));
        var tokens = new SignInApi(http, configuration).GetToken(new TokenRequest(credentials));
        configuration.AccessToken = tokens.IdToken;

        var customers = new CustomersApi(http, configuration);
        var customer = JsonConvert.DeserializeObject<CreateCustomerRequest>(Setting("ADX_CUSTOMER"));
        var created = customers.CreateCustomer(customer);
        JArray again = null;
        try
        {
            customers.CreateCustomer(customer);
        }
        catch (ApiException error)
        {
            var code = (string)JObject.Parse((string)error.ErrorContent)["error"];
            again = new JArray(error.ErrorCode, code);
        }
        var files = new CODAFilesApi(http, configuration).ListCodaFiles(new ListCodaFilesRequest());
        var file = files[0].Ibans[0].Files[0];

        Console.WriteLine(JsonConvert.SerializeObject(new
        {
            created = created.Name,
            again,
            downloaded = http.GetStringAsync(file.Urls.Coda).Result,
        }));
    }
}
