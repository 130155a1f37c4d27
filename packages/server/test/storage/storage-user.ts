import { loadConfig } from '../../src/config.js';
import { createLogger } from '../../src/logger.js';
import { openStorage } from '../../src/storage/open-storage.js';

// A process that uses the storage of a data folder; it closes it when its input ends.

const [dataDir = ''] = process.argv.slice(2);
const storage = await openStorage(loadConfig({ ADX_DATA_DIR: dataDir, STORAGE_PORT: '0' }), {
  logger: createLogger('silent'),
  now: () => new Date(),
});
await storage.store.put('adx-files', `of-${process.pid}`, Buffer.from('x'), 'x/y');
process.stdout.write(
  `${new URL(storage.presign({ key: 'k', fileName: 'n' }, new Date())).origin}\n`,
);
for await (const _line of process.stdin);
await storage.close();
process.stdout.write('closed\n');
