import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { median } from '../bench/statistics.js';
import { printResult } from '../proofs/print-result.js';
import { freePort } from '../support/free-port.js';
import { startPartnerLoad } from './partner-load.js';
import { createDeployment } from './support/deployment.js';

const minutes = Number(process.env['SOAK_MINUTES'] ?? 30);
const SAMPLE_MS = 5_000;

test.runIf(process.platform === 'linux')(
  `D-55 service and worker need at most a tenth more memory at the end of ${minutes} minutes of load than in the middle`,
  async () => {
    const deployment = await createDeployment();
    const mailFolder = await mkdtemp(join(tmpdir(), 'adx-mails-'));
    onTestFinished(async () => {
      await deployment.close();
      await rm(mailFolder, { recursive: true, force: true });
    });
    const [port, ofService, ofWorker] = [await freePort(), await freePort(), await freePort()];
    const publicUrl = `http://localhost:${port}`;
    const settings = {
      ...{ PORT: `${port}`, PUBLIC_URL: publicUrl, SMTP_URL: '', MAIL_FOLDER: mailFolder },
      JOBS_CONCURRENCY: '0',
      // The systemd units and the container image limit Node in the same way (D-61).
      NODE_OPTIONS: '--max-old-space-size=384',
    };
    const service = await deployment.start({ ...settings, METRICS_PORT: `${ofService}` });
    const worker = await deployment.startWorker({ ...settings, METRICS_PORT: `${ofWorker}` });
    const load = startPartnerLoad({ ...deployment, publicUrl, mailFolder }, 8, 4);

    const resident = { service: [] as number[], worker: [] as number[] };
    const heap = { service: [] as number[], worker: [] as number[] };
    const end = Date.now() + minutes * 60_000;
    while (Date.now() < end) {
      await wait(SAMPLE_MS);
      resident.service.push(await residentMebibytes(service.pid));
      resident.worker.push(await residentMebibytes(worker.pid));
      heap.service.push(await heapMebibytes(ofService));
      heap.worker.push(await heapMebibytes(ofWorker));
      await removeOldMails(mailFolder);
    }
    await load.stop();
    const thirds = [
      ...Object.entries(resident).map(([name, all]) => [name, ...thirdsOf(all, median)] as const),
      // About what is left after garbage was collected.
      ...Object.entries(heap).map(
        ([name, all]) => [`least heap of the ${name}`, ...thirdsOf(all, least)] as const,
      ),
    ];
    printResult({ statements: load.listed.length });
    for (const [name, ...mebibytes] of thirds) {
      printResult(`${name}: ${mebibytes.join(', ')} MiB in the first, second and last third`);
    }
    for (const program of [service, worker]) {
      program.kill('SIGTERM');
      expect(await program.exited).toEqual({ code: 0, signal: null });
    }
    expect([...new Set(load.failures)]).toEqual([]);
    for (const [name, , middle, last] of thirds) expect(last, name).toBeLessThan(middle * 1.1);
  },
);

async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

async function heapMebibytes(metricsPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\d+)$/m.exec(metrics)?.[1]) / 2 ** 20;
}

/** Removes answered mails, because those who wait for a mail read the whole folder. */
async function removeOldMails(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.eml')) continue;
    const path = join(folder, name);
    if (Date.now() - (await stat(path)).mtimeMs > 60_000) await rm(path);
  }
}

function thirdsOf(
  values: readonly number[],
  measure: (third: readonly number[]) => number,
): [number, number, number] {
  const third = Math.floor(values.length / 3);
  const from = (first: number) => Math.round(measure(values.slice(first, first + third)));
  return [from(0), from(third), from(2 * third)];
}

const least = (values: readonly number[]) => Math.min(...values);
