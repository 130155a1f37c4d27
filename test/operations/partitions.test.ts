// @module-tag long

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSignatureMails } from '../../packages/sandbox/src/demo/contacts.js';
import { programPath } from '../../packages/server/test/support/program-path.js';
import type { Partitioned } from '../../packages/server/test/support/template-database.js';
import { seedAcknowledgements, seedCodaFiles } from '../bench/seeds/seed-files.js';
import { readCodeBlocks } from '../partners/code-blocks.js';
import { printResult } from '../proofs/print-result.js';
import { eventually } from '../support/eventually.js';
import { isProof, rounds } from '../support/rounds.js';
import { addFirm, type CallingFirm, startCreating } from './support/creating-firms.js';
import { createDeployment, type Deployment } from './support/deployment.js';
import { startMovableServer } from './support/movable-server.js';
import { moveByGuide } from './support/move-by-guide.js';

const blocks = readCodeBlocks('docs/guides/partitions.md');
const publicUrl = 'https://adx.example.org';

/**
 * Moves a database with customers of three firms, who may be calling meanwhile.
 *
 * @param partitioned - the partitions that it has before
 * @param use - called once the firms exist
 * @returns what the call returned, and the deployment, whose database has partitions now
 */
async function move<Result>(
  partitioned: Partitioned | undefined,
  use: (
    deployment: Deployment,
    firms: readonly CallingFirm[],
    settings: Readonly<Record<string, string>>,
  ) => Promise<Result>,
) {
  const server = await startMovableServer(partitioned);
  const folder = await mkdtemp(join(tmpdir(), 'adx-move-'));
  onTestFinished(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });
  const programs = await folderWithProgram(folder);
  let used: [Deployment, Result] | undefined;
  await moveByGuide(server, blocks, async () => {
    const deployment = await createDeployment({ url: server.ownerUrl, release: async () => {} });
    onTestFinished(() => deployment.close());
    const settings = {
      ...{ DATABASE_URL: server.serviceUrl, PUBLIC_URL: publicUrl },
      ...{ SMTP_URL: '', MAIL_FOLDER: folder },
    };
    const names = ['Een', 'Twee', 'Drie'];
    const firms = await Promise.all(names.map((name) => addFirm(deployment, name)));
    used = [deployment, await use(deployment, firms, settings)];
    return {
      ...{ ...deployment.settings, ...settings, DOCS_DIR: folder },
      NEW_DATABASE_URL: server.ownerUrl.replace(/adx$/, 'adx_new'),
      PATH: `${programs}:${process.env['PATH']}`,
    };
  });
  const [deployment, result] = used ?? expect.fail('The guide has no block for a shell');
  const { rows } = await deployment.knex.raw(
    `select count(*)::int from pg_inherits where inhparent = 'files'::regclass`,
  );
  expect(rows).toEqual([{ count: 16 }]);
  return { deployment, result, mails: () => readSignatureMails(folder, publicUrl) };
}

/** Writes `adx-server`, and the page for which `doctor` looks, into a folder, and returns that. */
async function folderWithProgram(folder: string): Promise<string> {
  const program = join(folder, 'adx-server');
  const line = `exec '${process.execPath}' '${programPath('adx-server')}' "$@"`;
  await writeFile(program, `#!/bin/sh\n${line}\n`);
  await chmod(program, 0o755);
  await writeFile(join(folder, 'index.html'), '');
  return folder;
}

test('D-68 the commands of the guide move a database to more partitions with all its rows, jobs and sequences', async () => {
  const { deployment } = await move({ count: 2 }, async (deployment, firms) => {
    const service = await deployment.startHere({ PUBLIC_URL: publicUrl });
    const load = startCreating(deployment, service, firms, 0);
    await eventually(async () => load.created.length > firms.length);
    await load.stop();
    await seedCodaFiles(deployment.knex, 10);
  });
  const { knex } = deployment;
  const highest = () => knex('audit_entries').max('id as id').first();
  const before = await highest();
  expect(before?.id).toBeDefined();
  const [{ id } = { id: 0 }] = await knex('audit_entries').insert(
    { occurred_on: new Date(), actor: 'service', action: 'test', outcome: 'done' },
    'id',
  );
  expect(Number(id)).toBe(Number(before?.id) + 1);
});

test('D-68 while a database is moved to partitions, no call of its users fails but with 503 in the switch, and all that was answered is there', async () => {
  const { result, mails } = await move(undefined, async (deployment, firms, settings) => {
    const service = await deployment.start(settings);
    const load = startCreating(deployment, service, firms, 10);
    onTestFinished(() => load.stop());
    await eventually(async () => load.created.length > 10 * firms.length);
    await seedCodaFiles(deployment.knex, rounds({ short: 10, proof: 200 }));
    await seedAcknowledgements(deployment.knex);
    const startWorker = () => deployment.startWorker(settings);
    // The switch interrupts the worker of the proof.
    if (isProof) await startWorker();
    return { startWorker, load };
  });
  const { startWorker, load } = result;
  const before = load.created.length;
  await eventually(async () => load.created.length > before + 10);
  await load.stop();
  const { created, statuses, expectStored } = load;
  printResult({ customers: created.length, ...Object.fromEntries(statuses) });
  expect([...statuses.keys()].filter((status) => status !== '503')).toEqual(['200']);
  await expectStored();
  await startWorker();
  const addresses = () => mails().then((found) => new Set(found.map(({ to }) => to)));
  await eventually(addresses, (found) => created.every(({ email }) => found.has(email)));
});
