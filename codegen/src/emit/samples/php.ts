import type { SampleRequest } from './sample-request.js';
import { type Syntax, valueIn } from './syntax.js';

const php: Syntax = {
  scalar: (value) => (typeof value === 'string' ? quote(value) : String(value)),
  list: () => ({ open: '[', close: ']' }),
  object: (members) => ({
    // PHP takes an array with these keys, or with none, for a list.
    open: Object.keys(members).every((key, index) => key === String(index)) ? '(object) [' : '[',
    close: ']',
    name: (key) => `${quote(key)} => `,
  }),
};

/** Returns a program that needs no extension, except that `https` needs OpenSSL. */
export function phpSample({ method, url, headers, body }: SampleRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return `<?php
${body === undefined ? '' : `$body = ${valueIn(php, body)};\n`}$context = stream_context_create(['http' => [
    'method' => ${quote(method)},
    'header' => ${valueIn(php, lines, '    ')},${body === undefined ? '' : `\n    'content' => json_encode($body),`}
    'ignore_errors' => true,
    'follow_location' => 0,
]]);
$stream = fopen(${quote(url)}, 'r', false, $context);
$answer = stream_get_contents($stream);
[$status] = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_match('/^\\S+ 2/', $status)) {
    throw new RuntimeException("$status $answer");
}
echo $answer, "\\n";
`;
}

/** In single quotes only these two are escaped; control characters need double quotes. */
function quote(text: string): string {
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
  const escaped = text.replaceAll(/[\\"$]/g, '\\$&').replaceAll('\n', '\\n');
  return `"${escaped.replaceAll(/\p{Cc}/gu, (one) => `\\u{${one.charCodeAt(0).toString(16)}}`)}"`;
}
