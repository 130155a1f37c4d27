import type { Table } from '../table.js';
import { bankStatement } from './bank-statement.js';
import { startUploadService, untilListed } from './upload-service.js';

/** The number of statements; the goal is 5,000 within 3 minutes. */
const statements = Number(process.env['ADX_BENCH_STATEMENTS'] ?? 500);
const customers = 250;

export async function benchIngest(): Promise<Table> {
  const service = await startUploadService();
  try {
    const firm = await service.createFirm(customers);
    await firm.upload('first.cod', bankStatement(firm.ibans[0] ?? '', 1));
    // Until the worker has started.
    await untilListed(firm, 1);
    const before = await service.usage();
    const started = performance.now();
    for (let index = 0; index < statements; index += 1) {
      const iban = firm.ibans[index % customers] ?? '';
      await firm.upload(`${index}.cod`, bankStatement(iban, 2 + Math.floor(index / customers)));
    }
    const uploaded = performance.now();
    await untilListed(firm, statements + 1);
    const listed = performance.now();
    const { cpuSeconds, peakMebibytes } = await service.usage();
    const seconds = (listed - started) / 1000;
    return {
      head: ['statements', 'uploaded in s', 'listed in s', 'per s', 'worker CPU s', 'peak MiB'],
      rows: [
        [
          statements.toLocaleString('en'),
          ((uploaded - started) / 1000).toFixed(1),
          seconds.toFixed(1),
          (statements / seconds).toFixed(0),
          (cpuSeconds - before.cpuSeconds).toFixed(1),
          peakMebibytes.toFixed(0),
        ],
      ],
    };
  } finally {
    await service.stop();
  }
}
