import { expect, test } from 'vitest';
import { createProgressBar } from '../src/progress-bar.js';

/** Opens a terminal of which `shown` returns the visible line. */
function openTerminal({ isTTY = true, columns = 80, isQuiet = false }) {
  const written: string[] = [];
  const stream = { isTTY, columns, write: (text: string) => written.push(text) };
  const shown = () => written.join('').split('\r\u001b[K').at(-1);
  return { bar: createProgressBar(stream, isQuiet), written, shown };
}

test.each([
  [0, 4, '[........................]   0%  0/4  none'],
  [2, 4, '[############............]  50%  2/4  none'],
  [999, 1000, '[#######################.]  99%  999/1000  none'],
  [4, 4, '[########################] 100%  4/4  none'],
  [0, 0, '[########################] 100%  0/0  none'],
])('operator: a progress bar at %i of %i', (done, total, line) => {
  const { bar, shown } = openTerminal({});
  bar.show(done, total, 'none');
  expect(shown()).toBe(line);
});

test('operator: on a terminal, the bar overwrites one line and erases it at the end', () => {
  const { bar, written, shown } = openTerminal({ columns: 45 });
  bar.clear();
  expect(written).toEqual([]);
  bar.show(1, 2, '1 listed');
  expect(shown()).toBe('[############............]  50%  1/2  1 list');
  const unknown = openTerminal({ columns: 0 });
  unknown.bar.show(1, 2, '1 listed');
  expect(unknown.shown()).toBe('[############............]  50%  1/2  1 listed');
  bar.show(2, 2);
  expect(shown()).toBe('[########################] 100%  2/2  ');
  bar.clear();
  expect(shown()).toBe('');
  expect(written.join('')).not.toContain('\n');
});

test.each([{ isTTY: false }, { isQuiet: true }])('operator: with %j, no bar is written', (kind) => {
  const { bar, written } = openTerminal(kind);
  bar.show(1, 2);
  bar.clear();
  expect(written).toEqual([]);
});
