import type { DemoState } from './demo-state.js';
import { demoAdministrator } from './firms.js';
import { firstCall, type Shell } from './first-call.js';

export type DemoFacts = ReturnType<typeof demoFacts>;

/** Returns the addresses, credentials and files of a demo, with a first call for a shell. */
export function demoFacts(
  url: string,
  { apiKey, passwords }: Pick<DemoState, 'apiKey' | 'passwords'>,
  files: { readonly credentials: string; readonly mail: string; readonly log: string },
  shell: Shell,
) {
  const password = passwords[demoAdministrator] ?? '';
  const passwordInBase64 = Buffer.from(password).toString('base64');
  return {
    interface: `${url}/v1`,
    docs: `${url}/docs/`,
    scenarios: `${url}/sandbox/`,
    apiKey,
    login: demoAdministrator,
    password,
    passwordInBase64,
    ...files,
    firstCall: firstCall(shell, {
      ADX_URL: `${url}/v1`,
      ADX_API_KEY: apiKey,
      ADX_USERNAME: demoAdministrator,
      ADX_PASSWORD: password,
    }),
  };
}

export function banner(facts: DemoFacts): string {
  return `
Accounting Data Exchange, with demo data

  Interface  ${facts.interface}
  Docs       ${facts.docs}
  Scenarios  ${facts.scenarios}
  API key    ${facts.apiKey}
  Login      ${facts.login}
  Password   ${facts.password}
             (${facts.passwordInBase64} in Base64, as POST /token takes it)

  More logins  ${facts.credentials}
  Mail         ${facts.mail}
  Log          ${facts.log}

Every few seconds a mandate moves by itself: contacts sign or decline, banks and payroll providers
answer, statements arrive. You are the contact of the customers that you create: their requests to
sign are in the mail folder.

The settings of the examples and a first call, to paste into another terminal:

${facts.firstCall}
`;
}
