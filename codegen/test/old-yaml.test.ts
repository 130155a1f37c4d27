import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readDocument } from '../src/document/read-document.js';

it('D-42 readers of YAML 1.1 and 1.2 take the served document for the same', () => {
  const source = [
    'no: [NO, y, off, 2026-12-01, 0123, 1_000, 12:30, 0o17, 1.0, ~, true] # no',
    'kept: ["no", &on on, *on, 1.0, 0x1F]',
  ].join('\n');
  const document = readDocument(source);
  if (!document.ok) throw new Error(JSON.stringify(document.findings));
  const { text } = document.value;
  expect(parse(text, { version: '1.1' })).toEqual(parse(source));
  expect(parse(text)).toEqual(parse(source));
  expect(text).toContain('# no');
});
