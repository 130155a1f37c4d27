import type { SampleRequest } from './sample-request.js';
import { type Syntax, valueIn } from './syntax.js';

const keywords = new Set(
  `abstract as base bool break byte case catch char checked class const continue decimal default
  delegate do double else enum event explicit extern false finally fixed float for foreach goto if
  implicit in int interface internal is lock long namespace new null object operator out override
  params private protected public readonly ref return sbyte sealed short sizeof stackalloc static
  string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual
  void volatile while`.split(/\s+/),
);

/** Names that an anonymous type can have: those of its methods are taken. */
const memberName =
  /^(?!(?:Equals|Finalize|GetHashCode|GetType|MemberwiseClone|ReferenceEquals|ToString)$)[A-Za-z_]\w*$/;

const csharp: Syntax = {
  scalar: (value) => {
    if (typeof value === 'string') return quote(value);
    if (value === null) return '(object)null';
    // A number that is too large for integers.
    const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
    return isLarge ? `${value}d` : String(value);
  },
  list: (items) => {
    const areTexts = items.length > 0 && items.every((item) => typeof item === 'string');
    return { open: areTexts ? 'new[]\n{' : 'new object[]\n{', close: '}' };
  },
  object: (members) =>
    Object.keys(members).every((key) => memberName.test(key))
      ? { open: 'new\n{', close: '}', name: (key) => `${keywords.has(key) ? '@' : ''}${key} = ` }
      : {
          open: 'new Dictionary<string, object>\n{',
          close: '}',
          name: (key) => `[${quote(key)}] = `,
        },
};

/** Returns a program for .NET and for .NET Framework, in C# 7.1. JSON needs Newtonsoft.Json. */
export function csharpSample({ method, url, headers, body }: SampleRequest): string {
  const data = body === undefined ? '' : valueIn(csharp, body, '        ');
  const lines = [
    ...(data === '' ? [] : [`var body = ${data};`]),
    `var request = new HttpRequestMessage(${methodOf(method)}, ${quote(url)});`,
    ...headers
      .filter(([name]) => name !== 'content-type')
      .map(([name, value]) => `request.Headers.Add(${quote(name)}, ${quote(value)});`),
    ...(data === '' ? [] : contentLines),
  ];
  return `using System;
${data.includes('new Dictionary<') ? 'using System.Collections.Generic;\n' : ''}using System.Net.Http;
${data === '' ? '' : 'using System.Text;\n'}using System.Threading.Tasks;
${data === '' ? '' : 'using Newtonsoft.Json;\n'}
class Program
{
    static async Task Main()
    {
        ${lines.join('\n        ')}
        using (var client = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }))
        using (var answer = await client.SendAsync(request))
        {
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode)
                throw new HttpRequestException($"{(int)answer.StatusCode} {text}");
            Console.WriteLine(text);
        }
    }
}
`;
}

const contentLines = [
  'var json = JsonConvert.SerializeObject(body);',
  'request.Content = new StringContent(json, Encoding.UTF8, "application/json");',
];

/** .NET Framework has no HttpMethod.Patch. */
function methodOf(method: string): string {
  if (method === 'PATCH') return `new HttpMethod(${quote(method)})`;
  return `HttpMethod.${method.charAt(0)}${method.slice(1).toLowerCase()}`;
}

/** JSON does not escape these line ends, which C# does not allow in a text. */
function quote(text: string): string {
  return JSON.stringify(text)
    .replaceAll('\u0085', '\\u0085')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
