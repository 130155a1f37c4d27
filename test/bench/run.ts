import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from '../support/run-command.js';
import { benchFairRequests } from './calls/fair-requests.js';
import { benchFileGrowth } from './calls/file-growth.js';
import { benchFileList } from './calls/file-list.js';
import { benchGrowth } from './calls/growth.js';
import { benchRequestPath } from './calls/request-path.js';
import { benchSignUrls } from './calls/sign-urls.js';
import { benchStreaming } from './calls/streaming.js';
import { benchReadCoda } from './coda/read-coda.js';
import { benchReadCodaFiles } from './coda/read-coda-files.js';
import { benchOneWorker } from './costs/one-worker.js';
import { benchUnitCosts } from './costs/unit-costs.js';
import { benchDevLoop } from './dev-loop.js';
import { benchPageWeights } from './page-weights.js';
import { formatTable, type Table, withTable } from './table.js';
import { benchClientSize, benchCodegen } from './toolkit.js';
import { benchFairJobs } from './uploads/fair-jobs.js';
import { benchIngest } from './uploads/ingest.js';

/*
 * `npm run bench` runs all benchmarks, and `npm run bench -- request-path` one of them. With
 * `--save`, the results replace those in `docs/benchmarks.md` and `docs/capacity.md`, from which
 * the plots are drawn (`npx vitest run test/docs -u`). These change sizes:
 * `ADX_BENCH_STATEMENTS=5000` (of `ingest`), `ADX_BENCH_ROUNDS` (`request-path`, `fair-requests`,
 * `fair-jobs`), `ADX_BENCH_CUSTOMERS` (`growth`, `fair-requests`, `streaming`), `ADX_BENCH_FILES`
 * (`file-growth`, a million of which need 1 GB of disk), `ADX_BENCH_FIRMS` and `ADX_BENCH_HISTORY`
 * (`unit-costs`). `ADX_BENCH_ONLY=getCustomer,listBanks` measures these operations alone
 * (`request-path`). Servers, database and caller share the machine, so only ratios within one run
 * are meaningful.
 */
const documentOf = (name: string) =>
  fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url));
const benchmarks: Readonly<Record<string, () => Promise<Table>>> = {
  'request-path': benchRequestPath,
  streaming: benchStreaming,
  'file-list': benchFileList,
  'sign-urls': benchSignUrls,
  growth: benchGrowth,
  'file-growth': benchFileGrowth,
  'fair-requests': benchFairRequests,
  'read-coda': benchReadCoda,
  'read-coda-files': benchReadCodaFiles,
  ingest: benchIngest,
  'fair-jobs': benchFairJobs,
  codegen: benchCodegen,
  'dev-loop': benchDevLoop,
  'client-size': benchClientSize,
  'page-weights': benchPageWeights,
  'unit-costs': benchUnitCosts,
  'one-worker': benchOneWorker,
};

/** The benchmarks whose tables are in `docs/capacity.md`. */
const ofCapacity = ['unit-costs', 'one-worker'];

/** The sizes that differ from those of the benchmarks, for the caption. */
const sizes = Object.entries(process.env)
  .filter(([name]) => name.startsWith('ADX_BENCH_'))
  .map(([name, value]) => `${name}=${value} `)
  .join('');

const { values, positionals: wanted } = parseArgs({
  options: { save: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = wanted.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}\n`,
  );
  process.exit(2);
}
// Servers are measured as they are shipped: running from the sources takes more time.
await runCommand('npx', ['turbo', 'run', 'build', '--filter=@adx/server']);
for (const [name, run] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (values.save) await untilIdle();
  const [before = 0] = loadavg();
  const table = await run();
  process.stdout.write(`\n${name} (load before: ${before.toFixed(1)})\n\n${formatTable(table)}\n`);
  if (!values.save) continue;
  const caption = `${new Date().toISOString().slice(0, 10)}, \`${sizes}npm run bench -- ${name}\`: Node ${process.versions.node}, ${availableParallelism()} cores, load before ${before.toFixed(1)}.`;
  const document = documentOf(ofCapacity.includes(name) ? 'capacity' : 'benchmarks');
  await writeFile(document, withTable(await readFile(document, 'utf8'), name, table, caption));
}

/** Waits until the benchmark before hardly counts in the load, for three minutes at most. */
async function untilIdle(): Promise<void> {
  for (let second = 0; second < 180 && (loadavg()[0] ?? 0) > 0.5; second += 1) await wait(1_000);
}
