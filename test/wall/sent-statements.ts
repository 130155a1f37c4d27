import { AsyncLocalStorage } from 'node:async_hooks';
import { type IncomingMessage, Server } from 'node:http';
import pg from 'pg';

/** The texts that were sent for calls in this process, and those of them that nobody has taken. */
const sent = new Set<string>();
let untaken: string[] = [];
const calls = new AsyncLocalStorage<true>();

/**
 * Returns the texts, without values, of the statements that were sent to PostgreSQL while this
 * process handled calls of the interface, each of them once. The code of the service knows nothing
 * of it.
 */
export function takeNewStatements(): readonly string[] {
  const taken = untaken;
  untaken = [];
  return taken;
}

/** True while a call of the interface is handled. */
export const isInCall = () => calls.getStore() === true;

/** Runs work that belongs to no call. */
export const outsideCalls = <Result>(work: () => Result): Result => calls.exit(work);

const { emit } = Server.prototype;
Server.prototype.emit = function emitInCall(event: string, ...rest: unknown[]): boolean {
  const [request] = rest;
  const isCall = event === 'request' && (request as IncomingMessage).url?.startsWith('/v1/');
  const run = () => Reflect.apply(emit, this, [event, ...rest]);
  return isCall ? calls.run(true, run) : run();
};

const { query } = pg.Client.prototype;
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...parameters: unknown[]): unknown {
    if (calls.getStore()) {
      const [config] = parameters as [string | { readonly text: string }];
      const text = typeof config === 'string' ? config : config.text;
      if (!sent.has(text)) untaken.push(text);
      sent.add(text);
    }
    return Reflect.apply(query, this, parameters);
  },
});
