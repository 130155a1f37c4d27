import { benchFairJobs } from './fair-jobs.js';
import { benchFairRequests } from './fair-requests.js';
import { benchFileList } from './file-list.js';
import { benchGrowth } from './growth.js';
import { benchIngest } from './ingest.js';
import { benchReadCoda } from './read-coda.js';
import { benchReadCodaFiles } from './read-coda-files.js';
import { benchRequestPath } from './request-path.js';
import { benchStreaming } from './streaming.js';
import { benchClientSize, benchCodegen } from './toolkit.js';

/*
 * `npm run bench` runs all benchmarks, and `npm run bench -- request-path` one of them.
 * `ADX_BENCH_STATEMENTS=5000` and `ADX_BENCH_ROUNDS` change the sizes of `ingest` and `fair-jobs`.
 * Servers, database and caller share the machine, so only ratios within one run are meaningful.
 */
const benchmarks: Readonly<Record<string, () => Promise<string>>> = {
  'request-path': benchRequestPath,
  streaming: benchStreaming,
  'file-list': benchFileList,
  growth: benchGrowth,
  'fair-requests': benchFairRequests,
  'read-coda': benchReadCoda,
  'read-coda-files': benchReadCodaFiles,
  ingest: benchIngest,
  'fair-jobs': benchFairJobs,
  codegen: benchCodegen,
  'client-size': benchClientSize,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}\n`,
  );
  process.exit(2);
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`\n${name}\n\n${await run()}\n`);
}
