import type { SampleRequest } from './sample-request.js';
import { type Syntax, valueIn } from './syntax.js';

const python: Syntax = {
  scalar: (value) => {
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return JSON.stringify(value);
  },
  list: () => ({ open: '[', close: ']' }),
  object: () => ({ open: '{', close: '}', name: (key) => `${JSON.stringify(key)}: ` }),
};

/** Returns a program that needs only the standard library. */
export function pythonSample({ method, url, headers, body, answersBytes }: SampleRequest): string {
  const data = body && valueIn(python, body.value);
  return `${body?.isJson ? 'import json\n' : ''}from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None

${data === undefined ? '' : `body = ${data}\n`}headers = ${valueIn(python, Object.fromEntries(headers))}
request = Request(
    ${JSON.stringify(url)},${body ? `\n    data=${body.isJson ? 'json.dumps(body)' : 'body'}.encode(),` : ''}
    headers=headers,
    method=${JSON.stringify(method)},
)
try:
    print(build_opener(NoRedirect).open(request, timeout=60).read().decode(${answersBytes ? 'errors="replace"' : ''}))
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")
`;
}
