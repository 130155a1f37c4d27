import { expect, test } from 'vitest';
import { mistakesIn, stateOf } from '../dev/run-checks.js';
import { createScreen } from '../dev/screen.js';

function open(stream: { isTTY?: boolean; columns?: number; rows?: number }) {
  const written: string[] = [];
  let resize = () => {};
  const screen = createScreen({
    ...stream,
    write: (text) => written.push(text),
    on: (_event, listener) => {
      resize = listener;
    },
  });
  return { screen, written, resize: () => resize() };
}

const mistakes = ['openapi.yaml:76:7 openapi sumary', 'openapi.yaml:80:5 naming Name'];

test('dev: npm run dev redraws a terminal with all steps, the first mistakes and the notes', () => {
  const { screen, written, resize } = open({ isTTY: true, columns: 40, rows: 24 });
  screen.show('spec', stateOf({ mistakes, summary: '' }));
  screen.show('sandbox', {
    text: 'running at http://127.0.0.1:3000/v1',
    notes: ['Log  x'.repeat(20)],
  });
  resize();
  const drawn = [
    ...['spec       2 mistakes', 'generated  ', 'types      '],
    ...['sandbox    running at http://127.0.0.1:', '', ...mistakes, ''],
    ...['Log  x'.repeat(20).slice(0, 39), 'Ctrl+C stops everything.', ''],
  ].join('\n');
  expect(written.slice(1)).toEqual([`\u001b[2J\u001b[H${drawn}`, `\u001b[2J\u001b[H${drawn}`]);
});

test('dev: npm run dev shows as many mistakes as fit, and how many more there are', () => {
  const { screen, written } = open({ isTTY: true, rows: 12 });
  const many = Array.from({ length: 30 }, (_, index) => `a.ts:${index}:1 wrong`);
  screen.show('types', stateOf({ mistakes: many, summary: '' }));
  const lines = written[0]?.split('\n') ?? [];
  expect(lines).toContain('types      30 mistakes');
  expect(lines).toContain('a.ts:0:1 wrong');
  expect(lines).toContain('and 27 more');
  expect(lines.length).toBe(12);
});

test('dev: npm run dev prints each change of a step in plain lines without a terminal', () => {
  const { screen, written } = open({});
  screen.show('spec', stateOf({ mistakes, summary: '' }));
  screen.show('spec', stateOf({ mistakes, summary: '' }));
  screen.show('types', stateOf({ mistakes: [], summary: 'ok' }));
  screen.show('spec', stateOf({ mistakes: mistakes.slice(1), summary: '' }));
  screen.show('sandbox', { text: 'running', notes: ['API key    adx_live_1'] });
  expect(written).toEqual([
    `spec: 2 mistakes\n${mistakes.join('\n')}\n`,
    'types: ok\n',
    `spec: 1 mistake\n${mistakes[1]}\n`,
    'sandbox: running\nAPI key    adx_live_1\n',
  ]);
});

test('dev: npm run dev reads the mistakes of codegen and of the compiler, and no check fails without one', () => {
  expect(mistakesIn(`${mistakes.join('\n')}\n2 findings, nothing generated.\n`)).toEqual(mistakes);
  const compiler = "src/a.ts(7,10): error TS2322: Type 'A' is wrong.\n  Types of 'b' differ.\n\n";
  expect(mistakesIn(compiler)).toEqual(["src/a.ts:7:10 Type 'A' is wrong."]);
  expect(mistakesIn('')).toEqual(['The check has failed without a message.']);
});
