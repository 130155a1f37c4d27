import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../packages/server/test/support/database.js';
import { processSettings } from '../../packages/server/test/support/process-settings.js';
import { printResult } from '../proofs/print-result.js';
import { startPartnerLoad } from '../release/partner-load.js';
import { type Release, releaseIn } from '../release/release-processes.js';
import { freePort } from '../support/free-port.js';
import { repository } from '../support/run-command.js';

const minutes = Number(process.env['SOAK_MINUTES'] ?? 30);
const SAMPLE_MS = 5_000;

test.runIf(process.platform === 'linux')(
  `D-55 service and worker need at most a tenth more memory at the end of ${minutes} minutes of load than in the middle`,
  async () => {
    const { release, mailFolder, publicUrl } = await setUp();
    await release.command('migrate');
    const { id: firmId = '' } = await release.command('firm', 'create', '--name', 'Kantoor');
    const username = 'an@kantoor.example';
    const user = ['--firm', firmId, '--username', username, '--access', 'administrator'];
    const { password = '' } = await release.command('user', 'create', ...user);
    const key = ['--partner', 'Tests', '--scopes', 'all'];
    const { key: apiKey = '' } = await release.command('api-key', 'issue', ...key);
    const service = await release.serve();
    const worker = await release.work();
    const load = startPartnerLoad(
      { publicUrl, apiKey, username, password, fetch, mailFolder },
      8,
      4,
    );

    const samples = { service: [] as number[], worker: [] as number[] };
    const end = Date.now() + minutes * 60_000;
    while (Date.now() < end) {
      await wait(SAMPLE_MS);
      samples.service.push(await residentMebibytes(service.pid));
      samples.worker.push(await residentMebibytes(worker.pid));
      await removeOldMails(mailFolder);
    }
    await load.stop();
    const thirds = Object.entries(samples).map(
      ([name, all]) => [name, ...medianOfThirds(all)] as const,
    );
    printResult({ statements: load.listed.length });
    for (const [name, ...mebibytes] of thirds) {
      printResult(`${name}: ${mebibytes.join(', ')} MiB in the first, second and last third`);
    }
    expect([await service.stop(), await worker.stop()]).toEqual([0, 0]);
    expect([...new Set(load.failures)]).toEqual([]);
    for (const [name, , middle, last] of thirds) expect(last, name).toBeLessThan(middle * 1.1);
  },
);

async function setUp(): Promise<{ release: Release; mailFolder: string; publicUrl: string }> {
  const database = await createTestDatabase({ empty: true });
  const mailFolder = await mkdtemp(join(tmpdir(), 'adx-mails-'));
  const { SMTP_URL: _, ...settings } = await processSettings(database.url);
  const port = await freePort();
  const publicUrl = `http://localhost:${port}`;
  const release = releaseIn(repository, {
    ...{ ...settings, PORT: `${port}`, PUBLIC_URL: publicUrl, MAIL_FOLDER: mailFolder },
    ...{ LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000', JOBS_CONCURRENCY: '0' },
    // As the units and the image set it (D-61).
    NODE_OPTIONS: '--max-old-space-size=384',
  });
  onTestFinished(async () => {
    release.close();
    await database.drop();
    await rm(mailFolder, { recursive: true, force: true });
  });
  return { release, mailFolder, publicUrl };
}

async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Removes mails that were answered long ago, because those who wait for one read the whole folder. */
async function removeOldMails(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.eml')) continue;
    const path = join(folder, name);
    if (Date.now() - (await stat(path)).mtimeMs > 60_000) await rm(path);
  }
}

/** Returns the medians of the first, the second and the last third. */
function medianOfThirds(values: readonly number[]): [number, number, number] {
  const third = Math.floor(values.length / 3);
  const medianFrom = (first: number) =>
    Math.round(
      values.slice(first, first + third).toSorted((a, b) => a - b)[third >> 1] ?? Number.NaN,
    );
  return [medianFrom(0), medianFrom(third), medianFrom(2 * third)];
}
