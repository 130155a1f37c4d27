import pg from 'pg';

/** SQLSTATEs of a database that can be read, but is read-only or has a full disk. */
const readOnlyStates: ReadonlySet<string | undefined> = new Set(['25006', '53100']);

/** For a statement that could not write because the database can only be read now. */
export function ignoreReadOnly(error: unknown): void {
  if (!(error instanceof pg.DatabaseError && readOnlyStates.has(error.code))) throw error;
}
