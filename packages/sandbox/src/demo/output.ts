import type { DemoState } from './demo-state.js';
import { demoAdministrator } from './firms.js';

/** The addresses, credentials and files of a running demo. */
export interface DemoFacts {
  readonly interface: string;
  readonly docs: string;
  readonly apiKey: string;
  readonly login: string;
  readonly password: string;
  /** As `POST /token` takes it. */
  readonly passwordInBase64: string;
  readonly credentials: string;
  readonly mail: string;
  readonly log: string;
  /** A shell command that signs in and lists the customers. */
  readonly firstCall: string;
}

/** The output of `adx-sandbox start`. */
export interface Output {
  /** Prints an event, for example that a mandate has moved. */
  readonly report: (event: string) => void;
  /** Prints that the service is ready; without demo firms there are no facts. */
  readonly ready: (url: string, facts?: DemoFacts) => void;
}

interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/**
 * Creates the output of a stream. A terminal gets a banner that stays in view, because each event
 * replaces the previous one on the last line. Any other stream gets one JSON object per line.
 */
export function createOutput(stream: OutputStream, now = () => new Date()): Output {
  if (stream.isTTY !== true) {
    const print = (facts: object) =>
      stream.write(`${JSON.stringify({ time: now().toISOString(), ...facts })}\n`);
    return {
      report: (event) => print({ event }),
      ready: (url, facts) => print({ event: 'ready', url, ...facts }),
    };
  }
  const erased = '\r\u001b[K';
  return {
    report(event) {
      const line = `${now().toTimeString().slice(0, 8)}  ${event}`;
      // A line as wide as the terminal would continue on the next one.
      stream.write(erased + line.slice(0, (stream.columns || 80) - 1));
    },
    ready(url, facts) {
      const text = facts ? banner(facts) : `The Accounting Data Exchange listens on ${url}/v1\n`;
      stream.write(erased + text);
    },
  };
}

/** Returns the facts of a demo, with a first call for `curl`. */
export function demoFacts(
  url: string,
  { apiKey, passwords }: DemoState,
  files: { readonly credentials: string; readonly mail: string; readonly log: string },
): DemoFacts {
  const password = passwords[demoAdministrator] ?? '';
  const passwordInBase64 = Buffer.from(password).toString('base64');
  return {
    interface: `${url}/v1`,
    docs: `${url}/docs/`,
    apiKey,
    login: demoAdministrator,
    password,
    passwordInBase64,
    ...files,
    firstCall: `API_KEY=${apiKey}
ID_TOKEN=$(curl -s ${url}/v1/token \\
  -H "x-api-key: $API_KEY" -H 'content-type: application/json' \\
  -d '{"username":"${demoAdministrator}","password":"${passwordInBase64}"}' |
  sed 's/.*"idToken":"\\([^"]*\\)".*/\\1/')
curl -s ${url}/v1/customers -H "x-api-key: $API_KEY" -H "authorization: Bearer $ID_TOKEN"
`,
  };
}

function banner(facts: DemoFacts): string {
  return `
Accounting Data Exchange, with demo data

  Interface  ${facts.interface}
  Docs       ${facts.docs}
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

A first call, to paste into another terminal:

${facts.firstCall}
`;
}
