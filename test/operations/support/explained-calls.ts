import { AsyncLocalStorage } from 'node:async_hooks';
import { type IncomingMessage, Server } from 'node:http';
import type { Knex } from 'knex';
import pg from 'pg';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Records the statements of calls of the interface and of the signing page until it is stopped. */
export function recordCalls() {
  const calls = new AsyncLocalStorage<true>();
  const statements: Statement[] = [];
  const { emit } = Server.prototype;
  const { query } = pg.Client.prototype;
  Object.assign(Server.prototype, {
    emit(this: Server, event: string, ...rest: unknown[]) {
      const [request] = rest;
      const isCall =
        event === 'request' && /^\/(v1|sign)\//.test((request as IncomingMessage).url ?? '');
      const run = () => Reflect.apply(emit, this, [event, ...rest]);
      return isCall ? calls.run(true, run) : run();
    },
  });
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...parameters: unknown[]) {
      const [config, given] = parameters as [string | Statement, readonly unknown[] | undefined];
      const isText = typeof config === 'string';
      const text = isText ? config : config.text;
      const values = isText ? given : config.values;
      if (calls.getStore()) statements.push({ text, values: Array.isArray(values) ? values : [] });
      return Reflect.apply(query, this, parameters);
    },
  });
  return {
    statements,
    stop(): void {
      Object.assign(Server.prototype, { emit });
      Object.assign(pg.Client.prototype, { query });
    },
  };
}

const explained = /^\s*(with|select|insert|update|delete)\b/i;

/**
 * Returns the statements, of a distributed database, that need another node than one and the
 * coordinator, or several parts of a node. What functions of the database do is not seen.
 */
export async function statementsOfSeveralNodes(
  knex: Knex,
  statements: readonly Statement[],
): Promise<string[]> {
  const client: pg.ClientBase = await knex.client.acquireConnection();
  const found = new Set<string>();
  try {
    const { rows } = await client.query('select inet_server_port()::text as coordinator');
    for (const { text, values } of statements.filter((each) => explained.test(each.text))) {
      const explain = { text: `explain (costs off) ${text}`, values: [...values] };
      const plan = (await client.query(explain)).rows.map((row) => row['QUERY PLAN']).join('\n');
      const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
      const ports = [...plan.matchAll(/Node: host=\S+ port=(\d+)/g)].map(([, port]) => port);
      const nodes = new Set(ports.filter((port) => port !== rows[0].coordinator));
      if (nodes.size > 1 || tasks.some((count) => count > 1)) found.add(text);
    }
  } finally {
    await knex.client.releaseConnection(client);
  }
  return [...found];
}
