import pg from 'pg';

/** Connects to a database while `work` runs. */
export async function withConnection<Result>(
  databaseUrl: string | undefined,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export function queryDatabase<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  sql: string,
  values: unknown[],
): Promise<Row[]> {
  return withConnection(databaseUrl, async (client) => (await client.query<Row>(sql, values)).rows);
}
