import { type BenchDatabase, benchDatabase } from './bench-database.js';
import { type ServerKind, type ServerUnderLoad, startServer } from './server-under-load.js';

export interface BenchServers {
  readonly database: BenchDatabase;
  /** One of each kind; the first is the service. */
  readonly servers: readonly ServerUnderLoad[];
  readonly service: ServerUnderLoad;
  readonly credentials: Readonly<Record<string, string>>;
}

/** Works with the service and the other servers. */
export async function withServers<Result>(
  customers: number,
  others: readonly ServerKind[],
  work: (servers: BenchServers) => Promise<Result>,
  partitions?: number,
): Promise<Result> {
  const database = await benchDatabase(customers, partitions);
  const start = (kind: ServerKind) =>
    startServer(kind, { DATABASE_URL: database.url }, database.firmId, database.userId);
  const service = await start('service');
  const servers = [service];
  try {
    for (const kind of others) servers.push(await start(kind));
    const credentials = await database.signIn(service.port);
    return await work({ database, servers, service, credentials });
  } finally {
    for (const server of servers) server.stop();
    await database.drop();
  }
}
