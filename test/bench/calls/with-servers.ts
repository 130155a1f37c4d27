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
  const { url, firmId, userId } = database;
  const start = (kind: ServerKind, ...parameters: readonly string[]) =>
    startServer(kind, { DATABASE_URL: url }, ...parameters);
  const service = await start('service');
  const jwksUrl = `http://127.0.0.1:${service.port}/.well-known/jwks.json`;
  const servers = [service];
  try {
    for (const kind of others) servers.push(await start(kind, firmId, userId, jwksUrl));
    const credentials = await database.signIn(service.port);
    return await work({ database, servers, service, credentials });
  } finally {
    for (const server of servers) server.stop();
    await database.drop();
  }
}
