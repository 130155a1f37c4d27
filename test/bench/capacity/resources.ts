import type { Knex } from 'knex';
import type { ObjectStore } from '../../../packages/server/src/storage/object-store.js';
import { cpuOfFamily, parentOf } from '../process-usage.js';
import type { ServerUnderLoad } from '../server-under-load.js';
import type { UploadService } from '../upload-service.js';
import type { CountingProxy } from './counting-proxy.js';

/** The columns of the unit costs. */
export const resources = [
  'service CPU ms',
  'worker CPU ms',
  'database CPU ms',
  'WAL KiB',
  'database KiB',
  'storage KiB',
  'storage requests',
] as const;

interface Measured {
  readonly knex: Knex;
  readonly service: ServerUnderLoad;
  readonly worker: UploadService;
  readonly store: ObjectStore;
  readonly bucket: string;
  readonly proxy: CountingProxy;
}

/** Creates a function that returns what has been used so far, with the time in seconds before all others. */
export async function createMeter(measured: Measured): Promise<() => Promise<number[]>> {
  const { knex, service, worker, store, bucket, proxy } = measured;
  const pid = await knex.raw('select pg_backend_pid() as pid');
  const postgres = await parentOf(pid.rows[0].pid);
  return async () => {
    let stored = 0;
    for await (const object of store.list(bucket, '')) stored += object.size;
    const { rows } = await knex.raw(
      `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal, pg_database_size(current_database()) as size`,
    );
    return [
      performance.now() / 1000,
      (await service.usage()).cpuMicros / 1000,
      (await worker.usage()).cpuSeconds * 1000,
      (await cpuOfFamily(postgres)) * 1000,
      Number(rows[0].wal) / 1024,
      Number(rows[0].size) / 1024,
      stored / 1024,
      proxy.count(),
    ];
  };
}
