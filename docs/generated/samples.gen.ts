// Generated from openapi.yaml by `npm run generate`. Do not edit.

import type { OperationId } from '@adx/contract';

export interface Sample {
  readonly lang: string;
  readonly source: string;
}

/** The code samples of each operation. */
export const samples: Readonly<Record<OperationId, readonly Sample[]>> = {
  getToken: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const tokens = await client.auth.token({
  username: 'els.maes@kantoor-maes.example',
  password: 'emVlci1nZWhlaW0tMjAyNg==',
});
console.log(tokens);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new
        {
            username = "els.maes@kantoor-maes.example",
            password = "emVlci1nZWhlaW0tMjAyNg==",
        };
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/token");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = [
    'username' => 'els.maes@kantoor-maes.example',
    'password' => 'emVlci1nZWhlaW0tMjAyNg==',
];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/token', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "username": "els.maes@kantoor-maes.example",
    "password": "emVlci1nZWhlaW0tMjAyNg==",
}
headers = {
    "x-api-key": "<API_KEY>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/token",
    data=json.dumps(body).encode(),
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {
              "username": "els.maes@kantoor-maes.example",
              "password": "emVlci1nZWhlaW0tMjAyNg=="
            }
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/token"))
            .method("POST", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/token' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'content-type: application/json' \\
  --data '{
  "username": "els.maes@kantoor-maes.example",
  "password": "emVlci1nZWhlaW0tMjAyNg=="
}'
`,
    },
  ],
  helloWorld: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const confirmation = await client.auth.hello();
console.log(confirmation);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Get, "https://adx.example.org/v1/hello-world");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'GET',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/hello-world', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/hello-world",
    headers=headers,
    method="GET",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/hello-world"))
            .method("GET", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request GET 'https://adx.example.org/v1/hello-world' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  listCustomers: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const customers = await client.customers.list();
console.log(customers);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Get, "https://adx.example.org/v1/customers");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'GET',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/customers', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/customers",
    headers=headers,
    method="GET",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/customers"))
            .method("GET", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request GET 'https://adx.example.org/v1/customers' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  searchCustomers: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const customer of client.customers.search({ search: 'bakkerij' })) {
  console.log(customer);
}
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new
        {
            search = "bakkerij",
            limit = 20,
            offset = 20,
        };
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/customers");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = [
    'search' => 'bakkerij',
    'limit' => 20,
    'offset' => 20,
];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/customers', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "search": "bakkerij",
    "limit": 20,
    "offset": 20,
}
headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/customers",
    data=json.dumps(body).encode(),
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {
              "search": "bakkerij",
              "limit": 20,
              "offset": 20
            }
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/customers"))
            .method("POST", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/customers' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "search": "bakkerij",
  "limit": 20,
  "offset": 20
}'
`,
    },
  ],
  createCustomer: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const customer = await client.customers.create({
  enterpriseNumber: '0765.432.146',
  name: 'Bakkerij De Gouden Korst',
  accountingRef: 'K-0042',
  address: {
    street: 'Veldstraat 12',
    street2: 'bus 3',
    zipCode: '9000',
    municipality: 'Gent',
    country: 'België',
  },
  contact: {
    name: 'Jan Vermeulen',
    function: 'Zaakvoerder',
    email: 'jan@goudenkorst.example',
    language: 'nl',
  },
  bankAccounts: [{ iban: 'BE71 0961 2345 6769' }],
  payrollProviders: [{ code: 'sdworx' }],
});
console.log(customer);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new
        {
            enterpriseNumber = "0765.432.146",
            name = "Bakkerij De Gouden Korst",
            accountingRef = "K-0042",
            address = new
            {
                street = "Veldstraat 12",
                street2 = "bus 3",
                zipCode = "9000",
                municipality = "Gent",
                country = "België",
            },
            contact = new
            {
                name = "Jan Vermeulen",
                function = "Zaakvoerder",
                email = "jan@goudenkorst.example",
                language = "nl",
            },
            bankAccounts = new object[]
            {
                new
                {
                    iban = "BE71 0961 2345 6769",
                },
            },
            payrollProviders = new object[]
            {
                new
                {
                    code = "sdworx",
                },
            },
        };
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/customers/create");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = [
    'enterpriseNumber' => '0765.432.146',
    'name' => 'Bakkerij De Gouden Korst',
    'accountingRef' => 'K-0042',
    'address' => [
        'street' => 'Veldstraat 12',
        'street2' => 'bus 3',
        'zipCode' => '9000',
        'municipality' => 'Gent',
        'country' => 'België',
    ],
    'contact' => [
        'name' => 'Jan Vermeulen',
        'function' => 'Zaakvoerder',
        'email' => 'jan@goudenkorst.example',
        'language' => 'nl',
    ],
    'bankAccounts' => [
        [
            'iban' => 'BE71 0961 2345 6769',
        ],
    ],
    'payrollProviders' => [
        [
            'code' => 'sdworx',
        ],
    ],
];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/customers/create', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "enterpriseNumber": "0765.432.146",
    "name": "Bakkerij De Gouden Korst",
    "accountingRef": "K-0042",
    "address": {
        "street": "Veldstraat 12",
        "street2": "bus 3",
        "zipCode": "9000",
        "municipality": "Gent",
        "country": "België",
    },
    "contact": {
        "name": "Jan Vermeulen",
        "function": "Zaakvoerder",
        "email": "jan@goudenkorst.example",
        "language": "nl",
    },
    "bankAccounts": [
        {
            "iban": "BE71 0961 2345 6769",
        },
    ],
    "payrollProviders": [
        {
            "code": "sdworx",
        },
    ],
}
headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/customers/create",
    data=json.dumps(body).encode(),
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {
              "enterpriseNumber": "0765.432.146",
              "name": "Bakkerij De Gouden Korst",
              "accountingRef": "K-0042",
              "address": {
                "street": "Veldstraat 12",
                "street2": "bus 3",
                "zipCode": "9000",
                "municipality": "Gent",
                "country": "Belgi\\u00eb"
              },
              "contact": {
                "name": "Jan Vermeulen",
                "function": "Zaakvoerder",
                "email": "jan@goudenkorst.example",
                "language": "nl"
              },
              "bankAccounts": [
                {
                  "iban": "BE71 0961 2345 6769"
                }
              ],
              "payrollProviders": [
                {
                  "code": "sdworx"
                }
              ]
            }
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/customers/create"))
            .method("POST", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/customers/create' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "enterpriseNumber": "0765.432.146",
  "name": "Bakkerij De Gouden Korst",
  "accountingRef": "K-0042",
  "address": {
    "street": "Veldstraat 12",
    "street2": "bus 3",
    "zipCode": "9000",
    "municipality": "Gent",
    "country": "België"
  },
  "contact": {
    "name": "Jan Vermeulen",
    "function": "Zaakvoerder",
    "email": "jan@goudenkorst.example",
    "language": "nl"
  },
  "bankAccounts": [
    {
      "iban": "BE71 0961 2345 6769"
    }
  ],
  "payrollProviders": [
    {
      "code": "sdworx"
    }
  ]
}'
`,
    },
  ],
  getCustomer: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const customer = await client.customers.get('673f0c2a9b1d4e8f7a6c5b4d');
console.log(customer);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Get, "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'GET',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d",
    headers=headers,
    method="GET",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d"))
            .method("GET", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request GET 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  updateCustomer: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const customer = await client.customers.update('673f0c2a9b1d4e8f7a6c5b4d', {
  name: 'Bakkerij De Gouden Korst BV',
});
console.log(customer);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new
        {
            name = "Bakkerij De Gouden Korst BV",
        };
        var request = new HttpRequestMessage(new HttpMethod("PATCH"), "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = [
    'name' => 'Bakkerij De Gouden Korst BV',
];
$context = stream_context_create(['http' => [
    'method' => 'PATCH',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "name": "Bakkerij De Gouden Korst BV",
}
headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d",
    data=json.dumps(body).encode(),
    headers=headers,
    method="PATCH",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {
              "name": "Bakkerij De Gouden Korst BV"
            }
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d"))
            .method("PATCH", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request PATCH 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "name": "Bakkerij De Gouden Korst BV"
}'
`,
    },
  ],
  archiveCustomer: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const confirmation = await client.customers.archive('673f0c2a9b1d4e8f7a6c5b4d');
console.log(confirmation);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Delete, "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'DELETE',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d",
    headers=headers,
    method="DELETE",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d"))
            .method("DELETE", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request DELETE 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  addBankAccount: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const bankAccount = await client.customers.addBankAccount('673f0c2a9b1d4e8f7a6c5b4d', 'BE71096123456769');
console.log(bankAccount);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts/BE71096123456769");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts/BE71096123456769', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts/BE71096123456769",
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts/BE71096123456769"))
            .method("POST", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts/BE71096123456769' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  disableBankAccount: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const confirmation = await client.customers.disableBankAccount('673f0c2a9b1d4e8f7a6c5b4d', 'BE71096123456769');
console.log(confirmation);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Delete, "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts/BE71096123456769");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'DELETE',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts/BE71096123456769', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts/BE71096123456769",
    headers=headers,
    method="DELETE",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts/BE71096123456769"))
            .method("DELETE", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request DELETE 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts/BE71096123456769' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  addPayrollProvider: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const payrollProvider = await client.customers.addPayrollProvider('673f0c2a9b1d4e8f7a6c5b4d', 'sdworx');
console.log(payrollProvider);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/payroll-providers/sdworx");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/payroll-providers/sdworx', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/payroll-providers/sdworx",
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/payroll-providers/sdworx"))
            .method("POST", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/payroll-providers/sdworx' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  removePayrollProvider: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const confirmation = await client.customers.removePayrollProvider('673f0c2a9b1d4e8f7a6c5b4d', 'sdworx');
console.log(confirmation);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Delete, "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/payroll-providers/sdworx");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'DELETE',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/payroll-providers/sdworx', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/payroll-providers/sdworx",
    headers=headers,
    method="DELETE",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/payroll-providers/sdworx"))
            .method("DELETE", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request DELETE 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/payroll-providers/sdworx' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  listPayrollProviders: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const payrollProvider of client.payrollProviders.list()) {
  console.log(payrollProvider);
}
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new
        {
            limit = 20,
            offset = 20,
        };
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/payroll-providers");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = [
    'limit' => 20,
    'offset' => 20,
];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/payroll-providers', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "limit": 20,
    "offset": 20,
}
headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/payroll-providers",
    data=json.dumps(body).encode(),
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {
              "limit": 20,
              "offset": 20
            }
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/payroll-providers"))
            .method("POST", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/payroll-providers' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "limit": 20,
  "offset": 20
}'
`,
    },
  ],
  listBanks: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const bank of client.banks.list()) {
  console.log(bank);
}
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new
        {
            limit = 20,
            offset = 20,
        };
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/banks");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = [
    'limit' => 20,
    'offset' => 20,
];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/banks', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "limit": 20,
    "offset": 20,
}
headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/banks",
    data=json.dumps(body).encode(),
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {
              "limit": 20,
              "offset": 20
            }
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/banks"))
            .method("POST", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/banks' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "limit": 20,
  "offset": 20
}'
`,
    },
  ],
  searchMandates: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const mandate of client.mandates.search({
  updatedSince: '2026-03-02T08:00:00+01:00',
  includeFinished: true,
  sort: 'updatedOn',
  sortDirection: 'asc',
})) {
  console.log(mandate);
}
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new
        {
            updatedSince = "2026-03-02T08:00:00+01:00",
            includeFinished = true,
            sort = "updatedOn",
            sortDirection = "asc",
            limit = 200,
        };
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/mandates");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = [
    'updatedSince' => '2026-03-02T08:00:00+01:00',
    'includeFinished' => true,
    'sort' => 'updatedOn',
    'sortDirection' => 'asc',
    'limit' => 200,
];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/mandates', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "updatedSince": "2026-03-02T08:00:00+01:00",
    "includeFinished": True,
    "sort": "updatedOn",
    "sortDirection": "asc",
    "limit": 200,
}
headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/mandates",
    data=json.dumps(body).encode(),
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {
              "updatedSince": "2026-03-02T08:00:00+01:00",
              "includeFinished": true,
              "sort": "updatedOn",
              "sortDirection": "asc",
              "limit": 200
            }
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/mandates"))
            .method("POST", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/mandates' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "updatedSince": "2026-03-02T08:00:00+01:00",
  "includeFinished": true,
  "sort": "updatedOn",
  "sortDirection": "asc",
  "limit": 200
}'
`,
    },
  ],
  getMandate: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const mandate = await client.mandates.get('6740a1f2c3d4e5f6a7b8c9d0');
console.log(mandate);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Get, "https://adx.example.org/v1/mandates/6740a1f2c3d4e5f6a7b8c9d0");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'GET',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/mandates/6740a1f2c3d4e5f6a7b8c9d0', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/mandates/6740a1f2c3d4e5f6a7b8c9d0",
    headers=headers,
    method="GET",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/mandates/6740a1f2c3d4e5f6a7b8c9d0"))
            .method("GET", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request GET 'https://adx.example.org/v1/mandates/6740a1f2c3d4e5f6a7b8c9d0' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  requestMandate: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const mandate = await client.mandates.request('6740a1f2c3d4e5f6a7b8c9d0');
console.log(mandate);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/mandates/6740a1f2c3d4e5f6a7b8c9d0/request");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/mandates/6740a1f2c3d4e5f6a7b8c9d0/request', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/mandates/6740a1f2c3d4e5f6a7b8c9d0/request",
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/mandates/6740a1f2c3d4e5f6a7b8c9d0/request"))
            .method("POST", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/mandates/6740a1f2c3d4e5f6a7b8c9d0/request' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  listCodaFiles: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const codaCustomerGroups = await client.codaFiles.list({
  iban: 'BE71 0961 2345 6769',
  statementDate: { from: '2026-03-01', to: '2026-03-31' },
  redownload: true,
  includePdf: true,
});
console.log(codaCustomerGroups);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new
        {
            iban = "BE71 0961 2345 6769",
            statementDate = new
            {
                from = "2026-03-01",
                to = "2026-03-31",
            },
            redownload = true,
            includePdf = true,
        };
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/coda-files");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = [
    'iban' => 'BE71 0961 2345 6769',
    'statementDate' => [
        'from' => '2026-03-01',
        'to' => '2026-03-31',
    ],
    'redownload' => true,
    'includePdf' => true,
];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/coda-files', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "iban": "BE71 0961 2345 6769",
    "statementDate": {
        "from": "2026-03-01",
        "to": "2026-03-31",
    },
    "redownload": True,
    "includePdf": True,
}
headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/coda-files",
    data=json.dumps(body).encode(),
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {
              "iban": "BE71 0961 2345 6769",
              "statementDate": {
                "from": "2026-03-01",
                "to": "2026-03-31"
              },
              "redownload": true,
              "includePdf": true
            }
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/coda-files"))
            .method("POST", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/coda-files' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "iban": "BE71 0961 2345 6769",
  "statementDate": {
    "from": "2026-03-01",
    "to": "2026-03-31"
  },
  "redownload": true,
  "includePdf": true
}'
`,
    },
  ],
  acknowledgeCodaFile: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const confirmation = await client.codaFiles.acknowledge('6741b2c3d4e5f6a7b8c9d0e1');
console.log(confirmation);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Delete, "https://adx.example.org/v1/coda-files/6741b2c3d4e5f6a7b8c9d0e1");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'DELETE',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/coda-files/6741b2c3d4e5f6a7b8c9d0e1', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/coda-files/6741b2c3d4e5f6a7b8c9d0e1",
    headers=headers,
    method="DELETE",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/coda-files/6741b2c3d4e5f6a7b8c9d0e1"))
            .method("DELETE", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request DELETE 'https://adx.example.org/v1/coda-files/6741b2c3d4e5f6a7b8c9d0e1' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  acknowledgeCodaFiles: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const acknowledgedFiles = await client.codaFiles.acknowledgeMany({
  fileIds: ['6741b2c3d4e5f6a7b8c9d0e1', '6741b2c3d4e5f6a7b8c9d0e3'],
});
console.log(acknowledgedFiles);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new
        {
            fileIds = new[]
            {
                "6741b2c3d4e5f6a7b8c9d0e1",
                "6741b2c3d4e5f6a7b8c9d0e3",
            },
        };
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/coda-files/acknowledgements");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = [
    'fileIds' => [
        '6741b2c3d4e5f6a7b8c9d0e1',
        '6741b2c3d4e5f6a7b8c9d0e3',
    ],
];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/coda-files/acknowledgements', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "fileIds": [
        "6741b2c3d4e5f6a7b8c9d0e1",
        "6741b2c3d4e5f6a7b8c9d0e3",
    ],
}
headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/coda-files/acknowledgements",
    data=json.dumps(body).encode(),
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {
              "fileIds": [
                "6741b2c3d4e5f6a7b8c9d0e1",
                "6741b2c3d4e5f6a7b8c9d0e3"
              ]
            }
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/coda-files/acknowledgements"))
            .method("POST", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/coda-files/acknowledgements' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "fileIds": [
    "6741b2c3d4e5f6a7b8c9d0e1",
    "6741b2c3d4e5f6a7b8c9d0e3"
  ]
}'
`,
    },
  ],
  listMissingStatements: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const missingStatements of client.codaFiles.missing()) {
  console.log(missingStatements);
}
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new {};
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/coda-files/missing");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = (object) [];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/coda-files/missing', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {}
headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/coda-files/missing",
    data=json.dumps(body).encode(),
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {}
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/coda-files/missing"))
            .method("POST", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/coda-files/missing' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{}'
`,
    },
  ],
  getCodaUploadCredentials: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const uploadCredentials = await client.codaFiles.uploadCredentials();
console.log(uploadCredentials);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/coda-files/upload-credentials");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/coda-files/upload-credentials', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/coda-files/upload-credentials",
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/coda-files/upload-credentials"))
            .method("POST", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/coda-files/upload-credentials' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  listCodbFiles: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const codbCustomerGroups = await client.codbFiles.list({
  accountPeriod: 202602,
  payrollProvider: 'SD Worx',
});
console.log(codbCustomerGroups);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new
        {
            accountPeriod = 202602,
            payrollProvider = "SD Worx",
        };
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/codb-files");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = [
    'accountPeriod' => 202602,
    'payrollProvider' => 'SD Worx',
];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/codb-files', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "accountPeriod": 202602,
    "payrollProvider": "SD Worx",
}
headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/codb-files",
    data=json.dumps(body).encode(),
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {
              "accountPeriod": 202602,
              "payrollProvider": "SD Worx"
            }
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/codb-files"))
            .method("POST", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/codb-files' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "accountPeriod": 202602,
  "payrollProvider": "SD Worx"
}'
`,
    },
  ],
  acknowledgeCodbFile: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const confirmation = await client.codbFiles.acknowledge('6741b2c3d4e5f6a7b8c9d0e1');
console.log(confirmation);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Delete, "https://adx.example.org/v1/codb-files/6741b2c3d4e5f6a7b8c9d0e1");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'DELETE',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/codb-files/6741b2c3d4e5f6a7b8c9d0e1', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/codb-files/6741b2c3d4e5f6a7b8c9d0e1",
    headers=headers,
    method="DELETE",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/codb-files/6741b2c3d4e5f6a7b8c9d0e1"))
            .method("DELETE", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request DELETE 'https://adx.example.org/v1/codb-files/6741b2c3d4e5f6a7b8c9d0e1' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  acknowledgeCodbFiles: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const acknowledgedFiles = await client.codbFiles.acknowledgeMany({
  fileIds: ['6741b2c3d4e5f6a7b8c9d0e2', '6741b2c3d4e5f6a7b8c9d0e4'],
});
console.log(acknowledgedFiles);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new
        {
            fileIds = new[]
            {
                "6741b2c3d4e5f6a7b8c9d0e2",
                "6741b2c3d4e5f6a7b8c9d0e4",
            },
        };
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/codb-files/acknowledgements");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = [
    'fileIds' => [
        '6741b2c3d4e5f6a7b8c9d0e2',
        '6741b2c3d4e5f6a7b8c9d0e4',
    ],
];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/codb-files/acknowledgements', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "fileIds": [
        "6741b2c3d4e5f6a7b8c9d0e2",
        "6741b2c3d4e5f6a7b8c9d0e4",
    ],
}
headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/codb-files/acknowledgements",
    data=json.dumps(body).encode(),
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {
              "fileIds": [
                "6741b2c3d4e5f6a7b8c9d0e2",
                "6741b2c3d4e5f6a7b8c9d0e4"
              ]
            }
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/codb-files/acknowledgements"))
            .method("POST", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/codb-files/acknowledgements' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "fileIds": [
    "6741b2c3d4e5f6a7b8c9d0e2",
    "6741b2c3d4e5f6a7b8c9d0e4"
  ]
}'
`,
    },
  ],
  getCodbUploadCredentials: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const uploadCredentials = await client.codbFiles.uploadCredentials();
console.log(uploadCredentials);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/codb-files/upload-credentials");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/codb-files/upload-credentials', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/codb-files/upload-credentials",
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/codb-files/upload-credentials"))
            .method("POST", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/codb-files/upload-credentials' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  listUploads: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const uploadRecord of client.uploads.list({
  status: ['rejected'],
  receivedSince: '2026-03-02T08:00:00+01:00',
})) {
  console.log(uploadRecord);
}
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new
        {
            status = new[]
            {
                "rejected",
            },
            receivedSince = "2026-03-02T08:00:00+01:00",
        };
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/uploads");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = [
    'status' => [
        'rejected',
    ],
    'receivedSince' => '2026-03-02T08:00:00+01:00',
];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/uploads', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "status": [
        "rejected",
    ],
    "receivedSince": "2026-03-02T08:00:00+01:00",
}
headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/uploads",
    data=json.dumps(body).encode(),
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {
              "status": [
                "rejected"
              ],
              "receivedSince": "2026-03-02T08:00:00+01:00"
            }
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/uploads"))
            .method("POST", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/uploads' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "status": [
    "rejected"
  ],
  "receivedSince": "2026-03-02T08:00:00+01:00"
}'
`,
    },
  ],
  getUpload: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const uploadRecord = await client.uploads.get('674052e5b8e3d2a9f1c47b10');
console.log(uploadRecord);
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Get, "https://adx.example.org/v1/uploads/674052e5b8e3d2a9f1c47b10");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$context = stream_context_create(['http' => [
    'method' => 'GET',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
    ],
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/uploads/674052e5b8e3d2a9f1c47b10', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
}
request = Request(
    "https://adx.example.org/v1/uploads/674052e5b8e3d2a9f1c47b10",
    headers=headers,
    method="GET",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/uploads/674052e5b8e3d2a9f1c47b10"))
            .method("GET", HttpRequest.BodyPublishers.noBody())
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request GET 'https://adx.example.org/v1/uploads/674052e5b8e3d2a9f1c47b10' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  listAuditEntries: [
    {
      lang: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const auditEntry of client.auditEntries.list({
  customerId: '673f0c2a9b1d4e8f7a6c5b4d',
  occurredSince: '2026-03-01T00:00:00+01:00',
  occurredBefore: '2026-04-01T00:00:00+02:00',
})) {
  console.log(auditEntry);
}
`,
    },
    {
      lang: 'C#',
      source: `using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;

class Program
{
    static async Task Main()
    {
        var body = new
        {
            customerId = "673f0c2a9b1d4e8f7a6c5b4d",
            occurredSince = "2026-03-01T00:00:00+01:00",
            occurredBefore = "2026-04-01T00:00:00+02:00",
        };
        var request = new HttpRequestMessage(HttpMethod.Post, "https://adx.example.org/v1/audit-entries");
        request.Headers.Add("x-api-key", "<API_KEY>");
        request.Headers.Add("authorization", "Bearer <ID_TOKEN>");
        request.Content = new StringContent(JsonConvert.SerializeObject(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/json");
        using (var client = new HttpClient())
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`,
    },
    {
      lang: 'PHP',
      source: `<?php
$body = [
    'customerId' => '673f0c2a9b1d4e8f7a6c5b4d',
    'occurredSince' => '2026-03-01T00:00:00+01:00',
    'occurredBefore' => '2026-04-01T00:00:00+02:00',
];
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'x-api-key: <API_KEY>',
        'authorization: Bearer <ID_TOKEN>',
        'content-type: application/json',
    ],
    'content' => json_encode($body, JSON_UNESCAPED_UNICODE),
    'ignore_errors' => true,
]]);
$stream = fopen('https://adx.example.org/v1/audit-entries', 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`,
    },
    {
      lang: 'Python',
      source: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "customerId": "673f0c2a9b1d4e8f7a6c5b4d",
    "occurredSince": "2026-03-01T00:00:00+01:00",
    "occurredBefore": "2026-04-01T00:00:00+02:00",
}
headers = {
    "x-api-key": "<API_KEY>",
    "authorization": "Bearer <ID_TOKEN>",
    "content-type": "application/json",
}
request = Request(
    "https://adx.example.org/v1/audit-entries",
    data=json.dumps(body).encode(),
    headers=headers,
    method="POST",
)
try:
    print(urlopen(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`,
    },
    {
      lang: 'Java',
      source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {
              "customerId": "673f0c2a9b1d4e8f7a6c5b4d",
              "occurredSince": "2026-03-01T00:00:00+01:00",
              "occurredBefore": "2026-04-01T00:00:00+02:00"
            }
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://adx.example.org/v1/audit-entries"))
            .method("POST", HttpRequest.BodyPublishers.ofString(body))
            .header("x-api-key", "<API_KEY>")
            .header("authorization", "Bearer <ID_TOKEN>")
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        System.out.println(answer.body());
    }
}
`,
    },
    {
      lang: 'curl',
      source: `curl --fail-with-body --request POST 'https://adx.example.org/v1/audit-entries' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "customerId": "673f0c2a9b1d4e8f7a6c5b4d",
  "occurredSince": "2026-03-01T00:00:00+01:00",
  "occurredBefore": "2026-04-01T00:00:00+02:00"
}'
`,
    },
  ],
};
