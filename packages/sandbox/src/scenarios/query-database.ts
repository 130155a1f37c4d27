import pg from 'pg';

/** Returns the rows of a query to the database of the service, on a connection of its own. */
export async function queryDatabase<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  sql: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
