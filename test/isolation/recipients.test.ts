import type { Client } from '@adx/client';
import { expect, test } from 'vitest';
import { codaFile, codbFile } from '../../packages/server/test/uploads/sample-files.js';
import { newEnterpriseNumber, newIban } from '../support/numbers.js';
import { oneIn } from '../support/rounds.js';
import { type KnownCustomer, useTwoFirms, viewerNames, viewerOf } from './two-firms.js';

const firms = useTwoFirms({ settings: { JOBS_CONCURRENCY: '1' } });

/** Uploads a file; returns for whom documents were listed, and why others were refused. */
async function upload(files: Client['codaFiles'] | Client['codbFiles'], content: Uint8Array) {
  const { id, findings } = await (await files.upload(Buffer.from(content), 'all')).outcome();
  const { knex } = firms.service;
  const customers = await knex('files').where({ upload_id: id }).pluck<string[]>('customer_id');
  const errors = findings.filter(({ severity }) => severity === 'error');
  return {
    listed: customers.sort(),
    refused: errors.map(({ message }) => message.replace(/: \S+ \(.*\)$/, '')),
  };
}

// At once, because each upload waits seconds for the next scan of its bucket.
test.concurrent.each(oneIn(3, viewerNames))(
  '§5 rule 3, D-31 what %s uploads is listed for visible customers, and refused for all others as for unknown ones',
  async (name) => {
    const { user, visible } = viewerOf(firms, name);
    const client = await firms.service.client(user);
    const customers: readonly KnownCustomer[] = [firms.own, firms.other].flatMap(Object.values);
    const listed = visible.map(({ id }) => id).sort();
    const unknown = customers.length - visible.length + 1;
    const number = 100 + viewerNames.indexOf(name);

    const accounts = customers.flatMap(({ bankAccounts }) => bankAccounts.map(({ iban }) => iban));
    const statements = [...accounts, newIban()].map((iban) => ({ iban, number }));
    const enterprises = customers.map(({ enterpriseNumber }) => enterpriseNumber);
    const bookings = [...enterprises, newEnterpriseNumber()].map((text) => ({
      ...{ enterpriseNumber: text.replaceAll('.', ''), number },
    }));
    const [coda, codb] = await Promise.all([
      upload(client.codaFiles, codaFile(...statements)),
      upload(client.codbFiles, codbFile(...bookings)),
    ]);
    expect(coda).toEqual({
      listed,
      refused: Array(unknown).fill('No customer has this account'),
    });
    expect(codb).toEqual({
      listed,
      refused: Array(unknown).fill('No customer has this enterprise number'),
    });
  },
);
