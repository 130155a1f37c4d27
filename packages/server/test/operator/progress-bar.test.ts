import { expect, test } from 'vitest';
import { createProgressBar, formatProgress } from '../../src/operator/progress-bar.js';

/** Opens a terminal of which `shown` returns the visible line. */
function openTerminal(isTTY: boolean, columns?: number) {
  const written: string[] = [];
  const stream = { isTTY, columns, write: (text: string) => written.push(text) };
  const shown = () => written.join('').split('\r\u001b[K').at(-1);
  return { bar: createProgressBar(stream), written, shown };
}

test.each([
  [0, 4, '[........................]   0%  0/4  none'],
  [2, 4, '[############............]  50%  2/4  none'],
  [999, 1000, '[#######################.]  99%  999/1000  none'],
  [4, 4, '[########################] 100%  4/4  none'],
  [0, 0, '[########################] 100%  0/0  none'],
])('operator: a progress bar at %i of %i', (done, total, line) => {
  expect(formatProgress({ done, total, note: 'none' })).toBe(line);
});

test('operator: on a terminal, the bar overwrites one line and erases it at the end', () => {
  const { bar, written, shown } = openTerminal(true, 45);
  bar.clear();
  expect(written).toEqual([]);
  bar.show({ done: 1, total: 2, note: '1 listed' });
  expect(shown()).toBe('[############............]  50%  1/2  1 list');
  const unknown = openTerminal(true, 0);
  unknown.bar.show({ done: 1, total: 2, note: '1 listed' });
  expect(unknown.shown()).toBe('[############............]  50%  1/2  1 listed');
  bar.show({ done: 2, total: 2, note: '' });
  expect(shown()).toBe('[########################] 100%  2/2  ');
  bar.clear();
  expect(shown()).toBe('');
  expect(written.join('')).not.toContain('\n');
});

test('operator: without a terminal, no bar is written', () => {
  const { bar, written } = openTerminal(false);
  bar.show({ done: 1, total: 2, note: '' });
  bar.clear();
  expect(written).toEqual([]);
});
