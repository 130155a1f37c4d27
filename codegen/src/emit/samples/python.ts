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
export function pythonSample({ method, url, headers, body }: SampleRequest): string {
  return `${body === undefined ? '' : 'import json\n'}from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None

${body === undefined ? '' : `body = ${valueIn(python, body)}\n`}headers = ${valueIn(python, Object.fromEntries(headers))}
request = Request(
    ${JSON.stringify(url)},${body === undefined ? '' : '\n    data=json.dumps(body).encode(),'}
    headers=headers,
    method=${JSON.stringify(method)},
)
try:
    print(build_opener(NoRedirect).open(request, timeout=60).read().decode())
except HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode(errors='replace')}")
`;
}
