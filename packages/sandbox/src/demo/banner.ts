import { type Demo, demoAdministrator } from './seed-demo.js';

/** The text that a demo prints when it is ready: addresses, credentials, and a first call to paste. */
export function banner(
  url: string,
  { apiKey, passwords }: Demo,
  files: { readonly credentials: string; readonly mail: string; readonly log: string },
): string {
  const password = passwords[demoAdministrator] ?? '';
  const encoded = Buffer.from(password).toString('base64');
  return `
Accounting Data Exchange, with demo data

  Interface  ${url}/v1
  Docs       ${url}/docs/
  API key    ${apiKey}
  Login      ${demoAdministrator}
  Password   ${password}
             (${encoded} in Base64, as POST /token takes it)

  More logins  ${files.credentials}
  Mail         ${files.mail}
  Log          ${files.log}

Mandates move by themselves, one every few seconds: contacts sign or decline, banks and payroll
providers answer, statements arrive. You are the contact of the customers that you create: the
requests to sign are in the mail folder.

A first call, to paste into another terminal:

API_KEY=${apiKey}
ID_TOKEN=$(curl -s ${url}/v1/token \\
  -H "x-api-key: $API_KEY" -H 'content-type: application/json' \\
  -d '{"username":"${demoAdministrator}","password":"${encoded}"}' |
  sed 's/.*"idToken":"\\([^"]*\\)".*/\\1/')
curl -s ${url}/v1/customers -H "x-api-key: $API_KEY" -H "authorization: Bearer $ID_TOKEN"

`;
}
