import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newCustomer } from '../../../../test/support/new-customer.js';
import { newIban } from '../../../../test/support/numbers.js';
import { insertCodaFile } from '../../../server/test/support/files.js';
import { createTestKnex } from '../../../server/test/support/knex-for-file.js';
import { waysTo } from '../../src/demo/mandate-ways.js';
import { pasteIntoShell } from '../paste-into-shell.js';
import { call, dataDir, run, scenario, settings, url } from './scenario-sandbox.js';

/** Tests of the scenarios `mandate` and `file`. */
export function testMandatesAndFiles(): void {
  const statuses = Object.keys(waysTo);

  describe('D-53 scenario mandate', () => {
    interface Brought {
      readonly mandateId: string;
      readonly before: string;
      readonly status: string;
      readonly iban?: string;
    }

    /** Expects that the mandate has the status, and that nothing happens if it is asked for. */
    async function expectToStay(mandateId: string, status: string): Promise<void> {
      const { body } = await call('GET', `/mandates/${mandateId}`);
      expect(body).toMatchObject({ id: mandateId, status, product: expect.any(String) });
      const again = await scenario<Brought>('mandate', { status, mandateId });
      expect(again).toMatchObject({ before: status, status, steps: [] });
    }

    const ofOneMandate = ['created', 'expired', 'waitingForSigner', 'error', 'finished'];

    test.each(statuses.filter((status) => !ofOneMandate.includes(status)))(
      'D-53 a mandate is brought to %s, and stays there',
      { tags: 'long' },
      async (status) => {
        const brought = await scenario<Brought>('mandate', { status });
        expect(brought).toMatchObject({ status, contact: expect.stringMatching(/@klant-/) });
        await expectToStay(brought.mandateId, status);
      },
    );

    test('D-53 a mandate is brought from one status to the next, and stays in each, with a history as in life', {
      tags: 'long',
    }, async () => {
      const { mandateId } = await scenario<Brought>('mandate', { status: 'rejectedBySigner' });
      for (const status of ofOneMandate) {
        expect(await scenario<Brought>('mandate', { status, mandateId })).toMatchObject({ status });
        await expectToStay(mandateId, status);
      }
      const shown = await run('--data', dataDir, 'mandate', 'show', mandateId, '--json');
      const { history } = JSON.parse(shown.stdout);
      expect(history.map(({ trigger }: { trigger: string }) => trigger)).toEqual([
        ...['linked', 'requestSent', 'declined', 'requested', 'requestSent', 'signingPeriodEnded'],
        ...['requested', 'requestSent', 'deliveryFailed', 'requested', 'requestSent', 'signed'],
        'fileReceived',
      ]);
    });

    test('D-53 statuses that a mandate cannot have are refused, and say why', {
      tags: 'long',
    }, async () => {
      const { mandateId } = await scenario<Brought>('mandate', { status: 'rejectedByBank' });
      await expect(scenario('mandate', { status: 'finished', mandateId })).rejects.toThrow(
        /400 .*A mandate of this kind that is rejectedByBank never becomes finished, but one that is not signed can\./,
      );
      await expect(scenario('mandate', { status: 'renewalRequired', mandateId })).rejects.toThrow(
        /400 .*never becomes renewalRequired\. Without mandateId, a customer is created/,
      );
      const wrong = { status: 'waitingForBank', product: 'CODB' };
      await expect(scenario('mandate', wrong)).rejects.toThrow(
        /400 .*A CODB mandate never becomes waitingForBank/,
      );
      const missing = { status: 'created', mandateId: 'a'.repeat(24) };
      await expect(scenario('mandate', missing)).rejects.toThrow(/404 .*There is no mandate/);
    });
  });

  describe('D-53 scenario file', () => {
    interface Sent {
      readonly mandateId: string;
      readonly customerId: string;
      readonly customerName: string;
      readonly files: readonly {
        readonly name: string;
        readonly status?: string;
        readonly listed?: number;
        readonly contentBase64?: string;
        readonly findings: readonly { readonly code: string }[];
      }[];
    }
    /**
     * The mandates whose files need not follow on those of another test: each new one takes CPU
     * time for PDFs.
     */
    const shared: Record<string, string> = {};
    const finished = async (product: 'CODA' | 'CODB') => {
      shared[product] ??= (
        await scenario<{ mandateId: string }>('mandate', { status: 'finished', product })
      ).mandateId;
      return { mandateId: shared[product] };
    };
    const codesOf = ({ files }: Sent) =>
      files.map(({ findings }) => findings.map(({ code }) => code));

    test('D-53 files of an account follow on each other, or do not, as it was asked', {
      tags: 'long',
    }, async () => {
      const first = await scenario<Sent>('file', {});
      expect(codesOf(first)).toEqual([[]]);
      const { mandateId } = first;
      for (const [kind, codes] of [
        ['good', [[]]],
        ['gap', [['numberMissing']]],
        ['gap', [['numberMissing']]],
        ['gap', [['numberMissing']]],
        ['late', [[]]],
        ['balanceBreak', [['balanceDiffers']]],
        ['duplicate', [[], ['alreadyListed']]],
        ['correction', [[], ['numberRepeated']]],
        ['good', [[]]],
      ] as const) {
        expect(codesOf(await scenario<Sent>('file', { kind, mandateId })), kind).toEqual(codes);
      }
      const { body } = await call('POST', '/coda-files/missing', {
        customerId: first.customerId,
      });
      const missing: { kind: string; fromNumber: number; toNumber: number }[] = body.records;
      const sizes = missing.map(({ kind, fromNumber, toNumber }) =>
        kind === 'gap' ? `gap of ${toNumber - fromNumber + 1}` : kind,
      );
      expect(sizes.sort()).toEqual(['balanceBreak', 'gap of 2', 'gap of 2']);
      for (const _ of [1, 2]) await scenario('file', { kind: 'late', mandateId });
      await expect(scenario('file', { kind: 'late', mandateId })).rejects.toThrow(
        /400 .*No statement of BE\d+ is missing: leave a gap first/,
      );
    });

    test('D-53 the next statement follows on the highest number of the last day, also if a late one came after it', async () => {
      const knex = createTestKnex((await settings())['DATABASE_URL'] ?? '', { poolSize: 1 });
      onTestFinished(() => knex.destroy());
      const iban = newIban();
      const customer = newCustomer({ bankAccounts: [{ iban }] });
      const { id } = (await call('POST', '/customers/create', customer)).body;
      for (const statementNumber of [7, 5]) {
        await insertCodaFile(knex, id, { iban, statementNumber });
      }
      const { records } = (await call('POST', '/mandates', { customerId: id })).body;
      const sent = { mandateId: records[0].id, via: 'answer' };
      const { files } = await scenario<Sent>('file', sent);
      expect(files).toMatchObject([{ name: `${iban}-8a.cod` }]);
    });

    test('D-53 files that are sent for a mandate at once follow on each other, also after one that is refused', {
      tags: 'long',
    }, async () => {
      const { mandateId } = await finished('CODA');
      const sent = [{}, { kind: 'late' }, {}].map((body) =>
        scenario<Sent>('file', { ...body, mandateId }),
      );
      const [first, refused, last] = await Promise.allSettled(sent);
      expect(refused).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining('leave a gap') },
      });
      const numbers = [first, last].map((each) => {
        if (each?.status !== 'fulfilled') return expect.fail();
        expect(codesOf(each.value)).toEqual([[]]);
        return Number(/-(\d+)a\.cod$/.exec(each.value.files[0]?.name ?? '')?.[1]);
      });
      expect(Math.abs((numbers[0] ?? 0) - (numbers[1] ?? 0))).toBe(1);
    });

    test('D-53 files that cannot be made are refused before a customer is created for them', async () => {
      const { body } = await call('GET', '/customers');
      await expect(scenario('file', { kind: 'late' })).rejects.toThrow(/400 .*Give the mandateId/);
      for (const [sent, reason] of [
        [{ kind: 'gap', finding: 'sign' }, /A file has a kind or a finding: leave out gap or sign/],
        [{ kind: 'gap', product: 'CODB' }, /Payroll files have no gap: they are not in a chain/],
        [{ finding: 'amount', product: 'CODA' }, /A CODA file never has the finding amount/],
      ] as const) {
        await expect(scenario('file', sent)).rejects.toThrow(reason);
      }
      expect((await call('GET', '/customers')).body).toEqual(body);
    });

    test('D-53 a delivery for a mandate that is not signed is held, and finishes it once it is signed', {
      tags: 'long',
    }, async () => {
      const waiting = { status: 'waitingForSigner' };
      const { mandateId } = await scenario<{ mandateId: string }>('mandate', waiting);
      const { files } = await scenario<Sent>('file', { mandateId });
      expect(files).toMatchObject([{ listed: 0, held: 1, findings: [{ code: 'held' }] }]);
      const signed = await scenario('mandate', { status: 'finished', mandateId });
      expect(signed).toMatchObject({ before: 'waitingForSigner', status: 'finished' });
      expect((await scenario<Sent>('file', { mandateId })).files).toMatchObject([{ listed: 1 }]);
    });

    test('D-53 a presigned URL expires, and a new one of the same file is valid', {
      tags: 'long',
    }, async () => {
      const { customerName, files } = await scenario<Sent>('file', { product: 'CODB' });
      expect(files[0]?.listed).toBe(1);
      const url = async () => {
        const { body } = await call('POST', '/codb-files', { customer: customerName });
        return JSON.stringify(body).match(/http[^"]+/)?.[0] ?? expect.fail(customerName);
      };
      const before = await url();
      expect((await fetch(before)).status).toBe(200);
      await scenario('time', { hours: 25 });
      expect((await fetch(before)).status).toBe(403);
      expect((await fetch(await url())).status).toBe(200);
    });

    test('D-53 a file with a finding of the service has no other, nor has one that is read with a finding', {
      tags: 'long',
    }, async () => {
      const send = async (sent: object) => codesOf(await scenario<Sent>('file', sent));
      const [coda, codb] = [await finished('CODA'), await finished('CODB')];
      const via = 'delivery';
      for (const finding of ['noIban', 'noCurrency', 'trailerCut', 'balanceDiffers']) {
        expect(await send({ ...coda, finding, via })).toEqual([[finding]]);
      }
      for (const finding of ['sourceTooLong', 'date']) {
        expect(await send({ ...codb, finding, via })).toEqual([[finding]]);
      }
      // Deliveries of unknown customers are held, uploads are not.
      const uploaded = [
        send({ ...coda, finding: 'unknownAccount' }),
        send({ ...codb, finding: 'unknownEnterprise' }),
      ];
      expect(await Promise.all(uploaded)).toEqual([[['unknownAccount']], [['unknownEnterprise']]]);
    });

    test('D-53 a file with a finding is uploaded as by a user, or returned', {
      tags: 'long',
    }, async () => {
      const trailerCount = { finding: 'trailerCount', ...(await finished('CODA')) };
      const uploaded = await scenario<Sent>('file', trailerCount);
      expect(uploaded.files[0]?.status).toBe('rejected');
      expect(codesOf(uploaded)).toEqual([['trailerCount']]);
      const returned = await scenario<Sent>('file', {
        ...{ finding: 'amount', via: 'answer', ...(await finished('CODB')) },
      });
      const content = Buffer.from(returned.files[0]?.contentBase64 ?? '', 'base64').toString();
      expect(content).toContain('<Debit>1234,56</Debit>');
    });

    test('D-53 the example of the README writes the file that a scenario returns', {
      tags: 'long',
    }, async () => {
      const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
      const [, example = ''] =
        /```sh not-run:scenarios\n(curl --fail-with-body [^`]*)```/.exec(readme) ?? expect.fail();
      const here = example.replace('http://127.0.0.1:3000', url());
      await pasteIntoShell(`cd "${dataDir}" && ${here.trim()}`);
      const [header = ''] = (await readFile(join(dataDir, 'statement.cod'), 'latin1')).split(
        '\r\n',
      );
      expect(header).toMatch(/^00000\d{6}/);
      expect(header).toHaveLength(128);
    });
  });
}
