import { readCoda } from '@adx/statements';
import { codaPieces } from './coda-pieces.js';

/*
 * Reads this many MB of CODA and prints the time and memory that it used. It is a separate process,
 * so that its memory is that of one file.
 */
const megabytes = Number(process.argv[2]);
// A first run, so that the code is compiled before the measurement.
await read(20);
const started = performance.now();
const cpuBefore = process.cpuUsage();
const { bytes, statements, movements, highest } = await read(megabytes);
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
process.stdout.write(
  JSON.stringify({
    statements,
    movements,
    perSecond: bytes / 1e6 / seconds,
    perCpuSecond: bytes / (user + system),
    highest,
  }),
);

async function read(size: number) {
  let bytes = 0;
  let statements = 0;
  let movements = 0;
  let highest = 0;
  for await (const { statement, bytes: own, findings } of readCoda(codaPieces(size))) {
    if (statement === undefined) throw new Error(JSON.stringify(findings));
    bytes += own.length;
    statements += 1;
    movements += statement.movements.length;
    if (statements % 500 === 0) highest = Math.max(highest, process.memoryUsage.rss());
  }
  return { bytes, statements, movements, highest: Math.max(highest, process.memoryUsage.rss()) };
}
