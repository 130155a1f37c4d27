import { expect, test } from 'vitest';
import { reasonIn } from '../src/start-adx-server.js';

test('sandbox: the reason why a program has ended is its last error, not the version of Node after it', () => {
  const thrown = (name: string) =>
    `file:///a.js:3\nthrow it;\n^\n\n${name}: It broke.\n    at file:///a.js:3:7\n\nNode.js v20.20.2\n`;
  expect(reasonIn(thrown('Error'))).toBe('It broke.');
  expect(reasonIn(thrown('TypeError'))).toBe('TypeError: It broke.');
  expect(reasonIn(thrown('Error [ERR_MODULE_NOT_FOUND]'))).toBe(
    'Error [ERR_MODULE_NOT_FOUND]: It broke.',
  );
  expect(reasonIn('Warning: old\nerror: The port 3000 is taken\n')).toBe('The port 3000 is taken');
  expect(reasonIn('{"level":60,"msg":"Out of memory"}\n')).toBe(
    '{"level":60,"msg":"Out of memory"}',
  );
  expect(reasonIn('\n')).toBeUndefined();
});
