import { trace } from '@opentelemetry/api';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { markFailed } from '../../src/tracing/spans.js';
import { startTraces } from '../../src/tracing/start-traces.js';
import { startTraceReceiver } from './trace-receiver.js';

test('D-55 traces are sent in protobuf with their headers and without messages of errors, and a receiver that hangs delays neither spans nor the end', async () => {
  const receiver = await startTraceReceiver();
  onTestFinished(receiver.close);
  const lines: string[] = [];
  const stop = startTraces(
    {
      ...{ service: 'adx-server', url: `${receiver.url}/own/path`, protocol: 'http/protobuf' },
      headers: { authorization: 'Basic dG9rZW4=' },
    },
    pino({}, { write: (line) => void lines.push(line) }),
  );
  const span = (name: string) => {
    const started = trace.getTracer('test').startSpan(name);
    markFailed(started, new RangeError('Els Maes is unknown'));
    started.end();
  };
  // A whole batch is sent at once.
  for (let count = 0; count < 512; count += 1) span('accepted');
  await expect.poll(() => receiver.requests.length).toBe(1);
  expect(receiver.requests[0]).toMatchObject({ path: '/own/path', type: 'application/x-protobuf' });
  const sent = String(receiver.requests[0]?.body);
  for (const text of ['accepted', 'RangeError']) expect(sent).toContain(text);
  expect(sent).not.toContain('Els Maes');
  expect(receiver.authorizations).toEqual(new Set(['Basic dG9rZW4=']));
  expect(lines).toEqual([]);

  receiver.hang();
  span('lost');
  const stopping = performance.now();
  await stop();
  expect(performance.now() - stopping).toBeLessThan(9_000);
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(1);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, msg: expect.stringContaining('traces are lost'), err: { type: 'Error' } },
  ]);
  expect(lines.join()).not.toContain('dG9rZW4');
});
