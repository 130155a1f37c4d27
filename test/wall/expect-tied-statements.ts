import { appendFileSync } from 'node:fs';
import { loadModule, parseSync } from 'libpg-query';
import { afterAll, inject } from 'vitest';
import { allMigrations } from '../../packages/server/src/db/migrations/all-migrations.js';
import { excuseOf } from './excused-statements.js';
import { readFirmTables } from './firm-tables.js';
import { takeNewStatements } from './sent-statements.js';
// For the type of the provided values.
import './unused-excuses.js';
import { untiedTables } from './untied-tables.js';

// Runs after every test file: fails it if a call of the interface sent a statement that does not
// name the firm of the caller (D-57). Each statement is checked once in each process.

const schema = allMigrations.map(({ sql }) => sql).join('\n');

afterAll(async () => {
  const added = takeNewStatements();
  if (added.length === 0) return;
  await loadModule();
  const tables = readFirmTables(schema);
  const findings: string[] = [];
  for (const text of added) {
    const untied = untiedTables(parseSync(text), tables);
    if (untied.length === 0) continue;
    const excuse = excuseOf(text, untied);
    if (excuse) appendFileSync(inject('usedExcuses'), `${excuse.statement}\n`);
    else findings.push(`${untied.join(', ')}: ${text}`);
  }
  if (findings.length > 0) {
    throw new Error(
      `Statements for calls of the interface that do not name the firm (D-57):\n${findings.join('\n')}`,
    );
  }
});
