import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../support/run-command.js';

/** One text of a file of the service, and the text that replaces it. */
export interface Mutation {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** Which of the places with this text, from 0. */
  readonly occurrence: number;
}

const source = 'packages/server/src';
const principal = `${source}/identity/principal.ts`;
/** True for every row, with one parameter. */
const always = '?::text is not null';

/**
 * Returns a mutation for each condition of visibility in SQL: it is replaced by one that is always
 * true.
 */
export function visibilityMutations(): Mutation[] {
  return [...conditions(), ...uses()];
}

/** Returns the conditions in `principal.ts`. */
function conditions(): Mutation[] {
  const texts: readonly (readonly [from: string, to: string, occurrence?: number])[] = [
    ["'c.firm_id = ?'", `'${always}'`],
    ["seen(scope, 'c.archived_on is null')", "seen(scope, 'true')"],
    ["'(c.archived_on is null or c.transferred_to is not null)'", "'true'"],
    ["'not c.is_confidential'", "'true'"],
    ['uc.user_id = ?', always],
    ['uc.customer_id = ', "'' < "],
    ["'g.firm_id = ?'", `'${always}'`],
    ['g.user_id = ?', always],
    ["'e.firm_id = ?'", `'${always}'`],
    ['e.user_id = ?', always],
  ];
  return texts.map(([from, to]) => ({ path: principal, from, to, occurrence: 0 }));
}

/** A use of a condition of `principal.ts`. */
const use =
  /\b(visibleCustomers|customersWithVisibleFiles|visibleMandates|visibleGrants|visibleEntries)\((?:(\w+\.)?principal|scope)\)/g;

/** The stores whose statements name the firm once more when they change a customer (D-57). */
const changing = ['customers/customer-store.ts', 'customers/customer-link-store.ts'];

/** Returns the places that use a condition of `principal.ts`, or name the firm themselves. */
function uses(): Mutation[] {
  const files = readdirSync(join(repository, source), { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('principal.ts'))
    .sort()
    .flatMap((name) => {
      const text = readFileSync(join(repository, source, name), 'utf8');
      const used = [...new Set(text.match(use))];
      const named = changing.includes(name) ? ['c.firm_id = ?'] : [];
      return [...used, ...named].flatMap((from) => {
        const count = text.split(from).length - 1;
        return Array.from({ length: count }, (_, occurrence) => ({
          ...{ path: `${source}/${name}`, from, occurrence },
          to: used.includes(from) ? "({ sql: 'true', bindings: [] })" : always,
        }));
      });
    });
}
