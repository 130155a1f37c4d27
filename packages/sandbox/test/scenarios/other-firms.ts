import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@adx/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOperator, type ListedMandate, type Operator } from '../../src/operator.js';
import { createArmedErrors } from '../../src/scenarios/armed-errors.js';
import { openElapsedTime, openHeldMandates } from '../../src/scenarios/kept-state.js';
import { newCustomer } from '../../src/scenarios/mandates/new-customer.js';
import { createScenarioRuns } from '../../src/scenarios/run-scenarios.js';
import { readSettings, type Settings } from '../../src/settings-file.js';
import { apiKey, dataDir, scenario, url } from './scenario-sandbox.js';

const settingsOfSandbox = async (): Promise<Settings> =>
  (await readSettings(dataDir)) ?? expect.fail('The sandbox is not running');

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

/** Tests of the scenarios `mandate` and `file` for firms that are not of the demo, and without demo firms. */
export function testOtherFirms(): void {
  describe('D-53 scenarios for firms of the caller', () => {
    test('D-53 contacts, banks and time act for its mandates, but nobody acts as its users', async () => {
      const operator = createOperator(await settingsOfSandbox());
      const { id: firmId, client } = await createFirm(operator);
      const newMandate = async () => {
        const { id } = await client.customers.create(newCustomer('coda', true));
        const mandates = await operator.run<ListedMandate[]>(['mandate', 'list']);
        return mandates.find(({ customerId }) => customerId === id)?.id ?? expect.fail(id);
      };
      const mandateId = await newMandate();
      expect(await scenario('mandate', { status: 'finished', mandateId })).toMatchObject({
        ...{ firmId, status: 'finished' },
      });
      expect(await scenario('file', { mandateId })).toMatchObject({ files: [{ listed: 1 }] });
      await expect(scenario('file', { mandateId, finding: 'sign' })).rejects.toThrow(
        /400 .*Only users of its firm can upload.*via.*answer/,
      );
      const refused = { mandateId: await newMandate() };
      await scenario('mandate', { ...refused, status: 'rejectedBySigner' });
      await expect(scenario('mandate', { ...refused, status: 'created' })).rejects.toThrow(
        /400 .*Only its firm can ask for the signature again: call POST \/mandates/,
      );
    });

    test('D-53 without demo firms no customer is created, and the message says what to do', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'adx-empty-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const settings = await settingsOfSandbox();
      const { DATABASE_URL = '', PORT = '' } = settings;
      const runs = createScenarioRuns({
        ...{ url: url(), dataDir: folder, mailFolder: join(folder, 'mail') },
        settings: { ...settings, DATABASE_URL, PORT },
        operator: createOperator(settings),
        elapsed: await openElapsedTime(folder),
        errors: createArmedErrors(1200),
        heldMandates: await openHeldMandates(folder),
      });
      const reason =
        /^This sandbox has no demo firms: create a customer yourself, and give the mandateId/;
      await expect(runs.mandate({ status: 'finished' })).rejects.toThrow(reason);
      await expect(runs.file({ kind: 'good' })).rejects.toThrow(reason);
    });
  });
}
