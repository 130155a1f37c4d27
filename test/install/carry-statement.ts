import type { createClient } from '@adx/client';
import { expect } from 'vitest';
import { answerRequest } from '../../packages/sandbox/src/demo/contacts.js';
import type { MailServer } from '../../packages/server/test/mail/mail-server.js';
import { codaFile } from '../../packages/server/test/uploads/sample-files.js';
import { eventually } from '../support/eventually.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';

/** Leads a customer to a listed statement, which takes every part. */
export async function carryStatement(
  client: ReturnType<typeof createClient>,
  mail: MailServer,
): Promise<void> {
  const iban = newIban();
  const email = `${iban.toLowerCase()}@bakkerij-vermeulen.example`;
  const { contact, ...customer } = newCustomer({ bankAccounts: [{ iban }] });
  await client.customers.create({ ...customer, contact: { ...contact, email } });
  const text = await eventually(
    async () => mail.delivered.find(({ envelopeTo }) => envelopeTo.includes(email))?.mail.text,
  );
  const [link = ''] = text?.match(/http:\S+\/sign\/[\w-]+/) ?? [];
  await answerRequest({ to: '', messageId: '', link }, 'signed', 'Jan Peeters');
  const upload = await client.codaFiles.upload(codaFile({ iban }), 'march.cod');
  expect(await upload.outcome()).toMatchObject({ status: 'processed', fileCount: 1 });
  const accounts = (await client.codaFiles.list()).flatMap(({ ibans }) => ibans);
  const fileName = `${iban}_EUR_2026_014.cod`;
  expect(accounts.find((account) => account.iban === iban)).toMatchObject({
    files: [{ fileName }],
  });
}
