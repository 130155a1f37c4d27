import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@adx/client';
import { writeCoda } from '@adx/statements';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openElapsedTime } from '../../src/kept-state.js';
import { createOperator, type ListedMandate, type Operator } from '../../src/operator.js';
import { ScenarioRefusal } from '../../src/scenario-refusal.js';
import { createArmedErrors } from '../../src/scenarios/armed-errors.js';
import { statementOf } from '../../src/scenarios/files/statement-of-account.js';
import { createCustomer, findOpenMandate } from '../../src/scenarios/mandate-scenario.js';
import { createScenarioRuns } from '../../src/scenarios/run-scenarios.js';
import { serviceSettings } from '../../src/settings-file.js';
import { apiKey, dataDir, scenario, settings, url } from './scenario-sandbox.js';

interface SentFile {
  readonly iban?: string;
  readonly files: readonly object[];
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'adx-empty-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Creates a firm with an administrator, as its operator does in a sandbox without demo firms. */
async function createFirm(operator: Operator) {
  const { id } = await operator.run<{ id: string }>(['firm', 'create', '--name', 'Kantoor Duin']);
  const [username, password] = ['an@kantoor-duin.example', 'zand-in-de-duinen'];
  const user = ['--firm', id, '--username', username, '--access', 'administrator'];
  await operator.run(['user', 'create', ...user, '--password-stdin'], password);
  return {
    id,
    client: createClient({ baseUrl: `${url()}/v1`, apiKey: apiKey(), username, password }),
  };
}

/**
 * Tests of the scenarios `mandate` and `file` for firms that are not of the demo, and without demo
 * firms.
 */
export function testOtherFirms(): void {
  describe('D-53 scenarios for firms of the caller', () => {
    test('D-53 contacts, banks and time act for its mandates, but nobody acts as its users', {
      tags: 'long',
    }, async () => {
      const operator = createOperator(await settings());
      const { id: firmId, client } = await createFirm(operator);
      const newMandate = async () => {
        const { id } = await createCustomer(client, 'coda', true);
        const mandates = await operator.run<ListedMandate[]>(['mandate', 'list']);
        return mandates.find(({ customerId }) => customerId === id)?.id ?? expect.fail(id);
      };
      const mandateId = await newMandate();
      expect(await scenario('mandate', { status: 'finished', mandateId })).toMatchObject({
        ...{ firmId, status: 'finished' },
      });
      const { iban = '', ...sent } = await scenario<SentFile>('file', { mandateId });
      expect(sent).toMatchObject({ files: [{ listed: 1 }] });
      await expect(scenario('file', { mandateId, finding: 'sign' })).rejects.toThrow(
        /400 .*Only users of its firm can upload.*via.*answer/,
      );
      const day = new Date().toISOString().slice(0, 10);
      const { bic: from = '' } = await operator.run<{ bic?: string }>([
        'mandate',
        'show',
        mandateId,
      ]);
      const account = { iban, bic: from.replaceAll(' ', ''), holder: 'Kantoor Duin' };
      const last = { ...account, number: 997, oldBalance: 0n, oldDate: day, date: day };
      const folder = newFolder();
      writeFileSync(join(folder, 'last.cod'), writeCoda([statementOf(last)]));
      await operator.run(['ingest', folder, '--from', from]);
      await expect(scenario('file', { mandateId })).rejects.toThrow(
        /400 .*has used up the statement numbers of the year: take another mandate/,
      );
      const refused = { mandateId: await newMandate() };
      await scenario('mandate', { ...refused, status: 'rejectedBySigner' });
      await expect(scenario('mandate', { ...refused, status: 'created' })).rejects.toThrow(
        /400 .*Only its firm can ask for the signature again: call POST \/mandates/,
      );
    });

    test('D-53 without demo firms no customer is created, and the message says what to do', async () => {
      const folder = newFolder();
      const ofSandbox = serviceSettings.parse(await settings());
      const [elapsed, errors] = [openElapsedTime(folder), createArmedErrors(1200)];
      const runs = createScenarioRuns(folder, ofSandbox, elapsed, errors);
      const reason =
        /^This sandbox has no demo firms: create a customer yourself, and give the mandateId/;
      await expect(runs.mandate({ status: 'finished' })).rejects.toThrow(reason);
      await expect(runs.file({ kind: 'good' })).rejects.toThrow(reason);
    });

    test('D-53 a mandate that cannot be read is not said to be unknown', async () => {
      const databaseUrl = 'postgres://127.0.0.1:1/adx';
      const operator = createOperator({ ...(await settings()), DATABASE_URL: databaseUrl });
      const life = { operator, url: url(), mailFolder: dataDir, databaseUrl };
      const found = findOpenMandate({ ...life, clientOf: async () => undefined }, 'a'.repeat(24));
      await expect(found).rejects.toThrow('ECONNREFUSED');
      await expect(found).rejects.not.toThrow(ScenarioRefusal);
    });
  });
}
