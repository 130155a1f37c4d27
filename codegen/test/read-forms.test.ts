import { afterAll, expect, it } from 'vitest';
import { bodiesOf, form, object, startEcho, taking } from './support/echo-service.js';

const call = await startEcho(
  {
    'post /files': taking(
      object(
        { file: { type: 'string', format: 'binary', minLength: 2, maxLength: 4 }, any: {} },
        { additionalProperties: { type: 'string' } },
      ),
      'multipart/form-data',
    ),
    'post /any-form': { requestBody: { content: { [form]: {} } } },
    'post /two-forms': {
      requestBody: {
        content: {
          'Multipart/Form-Data; v=1': { schema: object({ any: { type: 'string' } }) },
          'multipart/form-data; v=2': { schema: object({ any: { format: 'binary' } }) },
        },
      },
    },
    'post /list-or-text': taking(
      object({
        a: { oneOf: [{ type: 'array', items: { type: ['object', 'array'] } }, { type: 'string' }] },
      }),
      form,
    ),
  },
  {},
  afterAll,
);
const got = bodiesOf(call);

it('D-42 a member of a form is a text or a file by its schema, or else as it was sent', async () => {
  const file = '; filename="a.txt"';
  const parts = [`file"`, `other"${file}`, `any"${file}`].map(
    (name) => `--b\r\nContent-Disposition: form-data; name="${name}\r\n\r\nsent\r\n`,
  );
  const body = `${parts.join('')}--b--\r\n`;
  // The JSON of a file is {}.
  const expected = { file: {}, other: 'sent', any: {} };
  expect(await got('post /files', body, 'multipart/form-data; boundary=b')).toEqual(expected);
});

const multipart = 'multipart/form-data; boundary=b';

/** Returns the bytes of a form, given a character for each. */
function partsOf(...parts: readonly (readonly [name: string, content: string])[]): Buffer {
  const written = parts.map(
    ([name, sent]) => `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${sent}\r\n`,
  );
  return Buffer.from(`${written.join('')}--b--\r\n`, 'latin1');
}

const file = (name: string) => `"${name}"; filename="a"`;

it.each([
  ['\u00c3\u00a9', { file: {} }],
  ['\u00e9\u00ff\u00fe', { file: {} }],
  ['', ['/body/file must NOT have fewer than 2 characters']],
  ['\u00e9'.repeat(5), ['/body/file must NOT have more than 4 characters']],
])('D-42 the length of a file is that of its bytes: %j', async (sent, expected) => {
  expect(await got('post /files', partsOf([file('file'), sent]), multipart)).toEqual(expected);
});

it.each([
  [['"title"', '\u00c3\u00a9 \u00ef\u00bf\u00bd'], { title: 'é \ufffd' }],
  [['"\u00c3\u00a9"', 'x'], { é: 'x' }],
  [['"title"', '\u00e9'], ['/body/title must be UTF-8']],
  [['"\u00ff"', 'x'], ['/body/\ufffd must be UTF-8']],
  [['"any"; filename="\u00ff"', 'x'], ['/body/any must be UTF-8']],
  [[file('title'), '\u00e9'], ['/body/title must be UTF-8']],
] as const)('D-42 a text of a form with files is UTF-8, or refused: %j', async (part, expected) => {
  expect(await got('post /files', partsOf(part), multipart)).toEqual(expected);
});

const disposition = (parameters: string) => `Content-Disposition: form-data${parameters}`;

/** Returns what the handler got of a form with one part, as other clients than `fetch` write it. */
async function partGot(headers: string, sent: string): Promise<unknown> {
  const text = `preamble\r\n--b \r\n${headers}\r\n\r\n${sent}\r\n--b--\r\nepilogue`;
  const body = Buffer.from(text, 'latin1');
  expect(await got('post /files', body, 'multipart/form-data; boundary="b"')).toHaveProperty('any');
  return Object(call.handled.at(-1)).body.any;
}

it.each([
  ['.NET', `Content-Type: text/plain\r\n${disposition('; name=any')}`],
  ['Apache', `${disposition('; name="any"')}\r\nContent-Type: text/plain; charset=ISO-8859-1`],
])('RFC 7578 §4.4 a text of HttpClient of %s is read', async (_client, headers) => {
  expect(await partGot(headers, 'sent')).toBe('sent');
});

it('RFC 7578 §4.4 a text has the encoding that its type names', async () => {
  const headers = `${disposition('; name=any')}\r\nContent-Type: text/plain; charset=ISO-8859-1`;
  expect(await partGot(headers, 'caf\u00e9')).toBe('caf\u00e9');
});

it.each([
  ['HttpClient of .NET', "; name=any; filename=a.txt; filename*=utf-8''a.txt", 'a.txt'],
  [
    'HttpClient of .NET, with a name that is not ASCII',
    `; name=any; filename="=?utf-8?B?4oKs?="; filename*=utf-8''%e2%82%ac's`,
    "€'s",
  ],
  ['urllib3', `; name="any"; filename*=utf-8''%e2%82%ac.txt`, '€.txt'],
  ['browsers', `; name="any"; filename="a%22%0D%0A;b.txt"`, 'a"\r\n;b.txt'],
  ['curl', `; name="any"; filename="a\\"; name=\\"b.txt"`, 'a"; name="b.txt'],
  ['clients with another order', `;filename="a.txt" ; name="any"`, 'a.txt'],
  ['clients that send no name', `; name=any; filename=""`, ''],
])('RFC 7578 §4.2 a file of %s is read', async (_client, parameters, name) => {
  const file = await partGot(disposition(parameters), 'sent');
  expect(file).toBeInstanceOf(File);
  expect(file).toHaveProperty('name', name);
  expect(await new Response(file as File).text()).toBe('sent');
});

it('RFC 7578 §4 a part without the value of its type has none', async () => {
  const headers = `${disposition('; name=any; filename=a')}\r\nContent-Type:\r\nContent-Length: 4`;
  await got('post /files', `--b\r\n${headers}\r\n\r\nsent\r\n--b--`, multipart);
  expect(Object(call.handled.at(-1)).body.any.type).toBe('');
});

it.each([
  ['no boundary', 'multipart/form-data', '--undefined--'],
  ['no end', multipart, `--b\r\n${disposition('; name=any')}\r\n\r\nsent`],
  ['no name', multipart, `--b\r\n${disposition('')}\r\n\r\nsent\r\n--b--`],
  ['headers of 17 KB', multipart, String(partsOf([`any; filename="${'a'.repeat(17_000)}"`, '']))],
  ['no empty line', multipart, `--b\r\n${disposition('; name=any')}\r\n--b--`],
])('RFC 7578 §4 a form with %s is refused', async (_mistake, type, body) => {
  expect(await got('post /files', body, type)).toBe(400);
});

it('D-42 a member without a type is what was sent each time, a text or a file', async () => {
  const parts = [
    ['"any"', 'x'],
    [file('any'), '\u00ff'],
    ['"any"', 'y'],
  ] as const;
  await got('post /files', partsOf(...parts), multipart);
  const handled = Object(call.handled.at(-1)).body.any;
  expect(handled).toEqual(['x', expect.any(File), 'y']);
  expect(new Uint8Array(await handled[1].arrayBuffer())).toEqual(new Uint8Array([255]));
});

it.each([
  ['post /any-form', form, (names: string[]) => names.map((name) => `${name}=x`).join('&')],
  [
    'post /files',
    multipart,
    (names: string[]) => partsOf(...names.map((name) => [`"${name}"`, 'x'] as const)),
  ],
])('D-42 a form has at most 1000 different names: %s', async (place, type, bodyOf) => {
  const names = Array.from({ length: 1001 }, (_, index) => `a${index}`);
  const tooMany = ['/body must NOT have more than 1000 different names'];
  expect(await got(place, bodyOf(names), type)).toEqual(tooMany);
  expect(await got(place, bodyOf(names.slice(1)), type)).toMatchObject({ a1000: 'x' });
});

it('D-42 a form without a schema has texts', async () => {
  expect(await got('post /any-form', 'a=1&b=x&b=y', form)).toEqual({ a: '1', b: ['x', 'y'] });
});

it.each([
  ['{"toString":1}', [{ toString: 1 }]],
  ['["a"]', [['a']]],
  ['{"a"', '{"a"'],
])('D-42 the first alternative that allows JSON reads it: %s', async (a, expected) => {
  const body = new URLSearchParams({ a });
  expect(await got('post /list-or-text', String(body), form)).toEqual({ a: expected });
});

it.each([
  ['multipart/form-data', 'sent'],
  ['multipart/form-data; v=1', 'sent'],
  ['multipart/form-data; v=2', {}],
])('D-42 a media type of the spec may have capitals and parameters: %s', async (type, any) => {
  const body = partsOf(['any', 'sent']);
  expect(await got('post /two-forms', body, `${type}; boundary=b`)).toEqual({ any });
});
