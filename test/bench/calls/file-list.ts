import { median } from '../statistics.js';
import type { Table } from '../table.js';
import { load, prepareRequest } from './load.js';
import { whileWatched } from './server-under-load.js';
import { withServers } from './with-servers.js';

const rounds = 7;
const shapes = [
  ['40 customers of 250', 40, 250],
  ['1 customer of 10,000', 1, 10_000],
] as const;

export async function benchFileList(): Promise<Table> {
  const rows: string[][] = [];
  for (const [name, customers, filesOfEach] of shapes) {
    rows.push([name, ...(await measure(customers, filesOfEach))]);
  }
  return { head: ['10,000 files with PDF', 'ms', 'CPU µs/URL', 'memory MiB'], rows };
}

function measure(customers: number, filesOfEach: number): Promise<string[]> {
  return withServers(customers, [], async ({ database, service, credentials }) => {
    const numbers = Array.from({ length: customers }, (_, index) => index + 1);
    await database.addCodaFiles(numbers, filesOfEach);
    const request = prepareRequest('listCodaFiles', 'POST', '/v1/coda-files', credentials, {
      includePdf: true,
    });
    const once = { connections: 1, durationMs: 1 };
    // The first lists are slower, because their code is compiled while they run.
    for (let round = 0; round < 3; round += 1) await load(service.port, request, once);
    const { rss } = await service.usage();
    const times: number[] = [];
    const cpu: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = await service.usage();
      const [ms = Number.NaN] = await load(service.port, request, once);
      const after = await service.usage();
      times.push(ms);
      cpu.push((after.cpuMicros - before.cpuMicros) / (customers * filesOfEach * 2));
    }
    // Apart, because watching takes CPU time too.
    const { highest } = await whileWatched(service, () => load(service.port, request, once));
    const grown = Math.max(0, highest - rss) / 2 ** 20;
    return [median(times).toFixed(0), median(cpu).toFixed(1), `+${grown.toFixed(0)}`];
  });
}
