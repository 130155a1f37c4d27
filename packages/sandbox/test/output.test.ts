import { expect, test } from 'vitest';
import { demoFacts } from '../src/demo/facts.js';
import { createOutput } from '../src/output.js';

const now = () => new Date(2026, 10, 22, 9, 30, 5);
const facts = demoFacts(
  'http://127.0.0.1:3000',
  { apiKey: 'adx_key', passwords: { 'els.maes@kantoor-maes.example': 'geheim' } },
  { credentials: '/data/demo.json', mail: '/data/mail', log: '/data/service.log' },
  'sh',
);

const sandbox = { url: 'http://127.0.0.1:3000', logFile: '/data/service.log' };

function open(stream: { isTTY?: boolean; columns?: number }) {
  const written: string[] = [];
  const output = createOutput({ ...stream, write: (text) => written.push(text) }, now);
  return { output, written };
}

test('sandbox: on a terminal the banner stays, and each event replaces the one before it', () => {
  const { output, written } = open({ isTTY: true, columns: 40 });
  output.ready(sandbox, facts);
  output.report('An Peeters has signed for Bakkerij Peeters en Zonen');
  output.report('A bank has confirmed');
  expect(written[0]).toContain('Interface  http://127.0.0.1:3000/v1\n');
  expect(written[0]).toContain(
    `The settings of the examples and a first call, to paste into another terminal:\n\n${facts.firstCall}`,
  );
  expect(written.slice(1)).toEqual([
    '\r\u001b[K09:30:05  An Peeters has signed for Bak',
    '\r\u001b[K09:30:05  A bank has confirmed',
  ]);
});

test('sandbox: without demo firms, a terminal shows the address and the log file', () => {
  const { output, written } = open({ isTTY: true });
  output.ready(sandbox);
  expect(written).toEqual([
    '\r\u001b[KThe Accounting Data Exchange listens on http://127.0.0.1:3000/v1\nLog  /data/service.log\n',
  ]);
});

test('sandbox: without a terminal each line is JSON', () => {
  const { output, written } = open({});
  output.report('A bank has confirmed');
  output.ready(sandbox, facts);
  output.ready(sandbox);
  const time = now().toISOString();
  expect(written.map((line) => JSON.parse(line))).toEqual([
    { time, event: 'A bank has confirmed' },
    { time, event: 'ready', url: 'http://127.0.0.1:3000', ...facts },
    { time, event: 'ready', url: 'http://127.0.0.1:3000', log: '/data/service.log' },
  ]);
  expect(written.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
});
