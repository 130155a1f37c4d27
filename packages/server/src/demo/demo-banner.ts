import type { DemoCredentials } from './demo-credentials.js';
import { demoAdministrator, demoFirms } from './demo-firms.js';

const firstCustomer = demoFirms[0]?.customers[0]?.request.enterpriseNumber ?? '';

/** What a demo prints when it listens: addresses, credentials, and first calls to paste into a shell. */
export function demoBanner(
  url: string,
  credentials: DemoCredentials,
  places: { readonly credentials: string; readonly mail: string },
): string {
  const password = credentials.passwords[demoAdministrator] ?? '';
  const encoded = Buffer.from(password).toString('base64');
  return `
Accounting Data Exchange, with demo data

  Interface  ${url}/v1
  Docs       ${url}/docs/
  API key    ${credentials.apiKey}
  Login      ${demoAdministrator}
  Password   ${password}
             ${encoded} in Base64, as POST /token takes it

More logins: ${places.credentials}

Mandates move by themselves, one every few seconds: contacts sign or decline, banks and payroll
providers answer. Files of two months arrive now, those of another day every minute. Of customers
that you create, you are the contact; the requests to sign are mailed.

  Mail       ${places.mail}

A first call, to paste into another terminal:

API_KEY=${credentials.apiKey}
ID_TOKEN=$(curl -s ${url}/v1/token \\
  -H "x-api-key: $API_KEY" -H 'content-type: application/json' \\
  -d '{"username":"${demoAdministrator}","password":"${encoded}"}' |
  sed 's/.*"idToken":"\\([^"]*\\)".*/\\1/')
curl -s ${url}/v1/customers -H "x-api-key: $API_KEY" -H "authorization: Bearer $ID_TOKEN"

The bank statements of one of them, with addresses to download them from:

curl -s ${url}/v1/coda-files -H "x-api-key: $API_KEY" -H "authorization: Bearer $ID_TOKEN" \\
  -H 'content-type: application/json' -d '{"enterpriseNumber":"${firstCustomer}"}'

`;
}
