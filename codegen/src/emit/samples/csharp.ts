import type { SampleBody, SampleRequest } from './sample-request.js';
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
  const data = body && valueIn(csharp, body.value, '        ');
  const lines = [
    ...(body ? [`var body = ${data};`] : []),
    `var request = new HttpRequestMessage(${methodOf(method)}, ${quote(url)});`,
    ...headers
      .filter(([name]) => name !== 'content-type')
      .map(([name, value]) => `request.Headers.Add(${quote(name)}, ${quote(value)});`),
    ...(body ? contentLines(body) : []),
  ];
  const isMap = data?.includes('new Dictionary<') === true;
  return `using System;
${isMap ? 'using System.Collections.Generic;\n' : ''}using System.Net.Http;
${body ? 'using System.Net.Http.Headers;\n' : ''}using System.Threading.Tasks;
${body?.isJson ? 'using Newtonsoft.Json;\n' : ''}
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

function contentLines({ isJson, mediaType }: SampleBody): string[] {
  const text = isJson ? 'JsonConvert.SerializeObject(body)' : 'body';
  return [
    `request.Content = new StringContent(${text});`,
    `request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(${quote(mediaType)});`,
  ];
}

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
