import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { operationsWithBody } from '../support/fuzz-target.js';
import { oneIn } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';
import { exchange } from './support/raw-exchange.js';

const limit = 64 * 1024;

const target = useFuzzTarget();

/** Sends a search with further headers, and then the body. */
const searchWith = (...lines: readonly string[]) => {
  const start = ['POST /v1/customers HTTP/1.1', 'Host: x', 'Connection: close'];
  const text = [...start, ...target.headerLines, ...lines].join('\r\n');
  return exchange(target.service.baseUrl, text);
};

/** Returns JSON of exactly this many bytes. */
const padded = (size: number) => `{${' '.repeat(size - 2)}}`;

describe('D-03 a body of more than 64 KiB', () => {
  it.each(oneIn(4, operationsWithBody))('is payloadTooLarge for %s', async (operationId) => {
    await target.storingNothing(async () => {
      for (const size of [limit + 1, 1024 * 1024]) {
        expect(await target.send(operationId, { body: padded(size) })).toMatchObject({
          status: 413,
          body: { error: 'payloadTooLarge' },
        });
      }
      for (const size of [limit - 1, limit]) {
        expect((await target.send(operationId, { body: padded(size) })).status).not.toBe(413);
      }
    });
  });
});

describe('D-03 the size of a body', () => {
  it('is counted in bytes, not in characters', async () => {
    const body = `{"search":"${'é'.repeat(limit / 2)}"}`;
    expect((await target.send('searchCustomers', { body })).status).toBe(413);
  });

  it.each(['-1', '1e3', 'x', '5, 6'])('is refused if it is declared as %s', async (length) => {
    expect((await searchWith(`Content-Length: ${length}`, '\r\n{}'))?.status).toBe(400);
  });

  it('a caller who disconnects in the middle of a body stores nothing', async () => {
    await target.storingNothing(async () => {
      const { hostname, port } = new URL(target.service.baseUrl);
      const start = ['POST /v1/customers/create HTTP/1.1', 'Host: x', ...target.headerLines];
      const socket = connect(Number(port), hostname).resume();
      socket.end([...start, 'Content-Length: 500', '', '{"name":'].join('\r\n'));
      await once(socket, 'close');
      expect((await target.send('helloWorld')).status).toBe(200);
    });
  });

  it('is refused if it is declared in two ways, so that the body cannot contain a second request', async () => {
    const answer = await searchWith(
      ...['Content-Length: 60', 'Transfer-Encoding: chunked', '', '0', ''],
      ...['GET /v1/hello-world HTTP/1.1', 'Host: x', '\r\n'],
    );
    expect(answer?.status).toBe(400);
  });
});
