import type { Span } from '@opentelemetry/api';
import type pg from 'pg';
import { markFailed, startStep } from './spans.js';

/** The longest text of a statement in a span, in characters. */
const MAX_TEXT_LENGTH = 4_000;

/**
 * Gives each statement a span, which has the text with placeholders, and never the values.
 *
 * This changes the connection and not the pool, because knex has no event for the end of `commit`.
 */
export function traceStatements(connection: pg.Client): void {
  const { query } = connection;
  const traced = (...call: unknown[]): unknown => {
    const callback = call.at(-1);
    const span = isStream(call[0]) ? undefined : startStatement(call[0]);
    if (span === undefined) return Reflect.apply(query, connection, call);
    const end = (error: unknown, result: unknown): void => {
      if (error) markFailed(span, error);
      else countRows(span, result);
      span.end();
    };
    if (typeof callback === 'function') {
      const ending = (error: unknown, result: unknown): void => {
        end(error, result);
        Reflect.apply(callback, undefined, [error, result]);
      };
      return Reflect.apply(query, connection, [...call.slice(0, -1), ending]);
    }
    const sent: Promise<unknown> = Reflect.apply(query, connection, call);
    sent.then(
      (result) => end(undefined, result),
      (error: unknown) => end(error, undefined),
    );
    return sent;
  };
  Object.assign(connection, { query: traced });
}

/** Returns true for a statement whose rows are read one by one, which has no span. */
function isStream(statement: unknown): boolean {
  return typeof statement === 'object' && statement !== null && 'submit' in statement;
}

function startStatement(statement: unknown): Span | undefined {
  const isConfig = typeof statement === 'object' && statement !== null && 'text' in statement;
  const text = String(isConfig ? statement.text : statement);
  return startStep(nameOf(text), {
    'db.system.name': 'postgresql',
    'db.query.text': text.slice(0, MAX_TEXT_LENGTH),
  });
}

/** Returns a short name, such as `select customers`: the first word, and the first table. */
function nameOf(text: string): string {
  const [, verb = 'statement'] = /^\s*(\w+)/.exec(text) ?? [];
  // A name before a bracket is a function, as in `extract(epoch from now())`, unless it has a
  // schema.
  const [, table] = /\b(?:from|into|update|join)\s+"?(\w+\.\w+|\w+\b(?!\())/i.exec(text) ?? [];
  return [verb.toLowerCase(), table].filter((each) => each !== undefined).join(' ');
}

function countRows(span: Span, result: unknown): void {
  const isCounted = typeof result === 'object' && result !== null && 'rowCount' in result;
  if (isCounted && typeof result.rowCount === 'number') {
    span.setAttribute('adx.rows', result.rowCount);
  }
}
