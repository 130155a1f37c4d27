import { answerRequest } from '../../../packages/sandbox/src/demo/contacts.js';
import type { MailServer } from '../../../packages/server/test/mail/mail-server.js';
import { enterpriseNumberOf, newIban } from '../../support/numbers.js';
import { until } from '../until.js';

/** Signs the mandates as contacts do, until they got the evidence. Numbers must be new. */
export async function signMandates(parts: {
  readonly port: number;
  readonly credentials: Readonly<Record<string, string>>;
  readonly mail: MailServer;
  readonly first: number;
  readonly count: number;
}): Promise<number> {
  const { port, credentials, mail, first, count } = parts;
  const url = `http://127.0.0.1:${port}`;
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { ...credentials, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  const before = mail.delivered.length;
  for (let number = first; number < first + count; number += 1) {
    const { id } = await call('POST', '/customers/create', {
      enterpriseNumber: enterpriseNumberOf(number),
      name: `Customer ${number}`,
      accountingRef: `N-${number}`,
      address: { street: 'Veldstraat 1', zipCode: '9000', municipality: 'Gent', country: 'België' },
      contact: {
        ...{ name: 'Jan Vermeulen', function: 'Zaakvoerder', language: 'nl' },
        email: `n${number}@customer.example`,
      },
    });
    await call('POST', `/customers/${id}/bank-accounts/${newIban()}`);
  }
  const links = await untilLinks(mail, before, count);
  for (const path of links) {
    await answerRequest(
      { link: `${url}${path}`, to: '', messageId: '' },
      'signed',
      'Jan Vermeulen',
    );
  }
  await until('the evidence is sent', 200, () => mail.delivered.length >= before + 2 * count);
  return count;
}

/** Returns the paths of the signing pages in the mails after the first `before`. */
async function untilLinks(mail: MailServer, before: number, count: number): Promise<string[]> {
  const links = () => [
    ...new Set(
      mail.delivered
        .slice(before)
        .flatMap(({ mail: { text } }) => /\/sign\/[\w-]+/.exec(text ?? '') ?? []),
    ),
  ];
  await until('all contacts are asked to sign', 200, () => links().length >= count);
  return links();
}
