import { spec } from '@adx/contract/spec';
import { expect, test } from 'vitest';
import {
  escapeLines,
  escapeUnprintable,
  hasUnprintable,
  replaceUnprintable,
} from '../src/unprintable.js';

const everyCharacter = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));

/** Returns the pattern of a text in the spec, as an expression with these flags. */
function patternOf(field: string, flags: string): RegExp {
  const schema = spec.components.schemas['CreateCustomerRequest']?.properties?.[field];
  return new RegExp(String(schema?.['pattern']), flags);
}

test('D-05 the spec refuses the characters that the service treats as unprintable', () => {
  const pattern = patternOf('accountingRef', '');
  const refused = everyCharacter.filter((character) => !pattern.test(`a${character}`));
  expect(refused).toEqual(everyCharacter.filter(hasUnprintable));
  expect(refused.length).toBe(65 + 2 + 12);
});

test.each(['accountingRef', 'name'])(
  'D-05 the pattern of %s means the same without Unicode mode, as in many other languages',
  (field) => {
    const [unicode, plain] = [patternOf(field, 'u'), patternOf(field, '')];
    const texts = [...everyCharacter.map((each) => `a${each}b`), 'a😀b', '漢字', ' '];
    expect(texts.filter((text) => unicode.test(text) !== plain.test(text))).toEqual([]);
    expect(plain.test('a😀b')).toBe(true);
  },
);

test('D-05 a name is not blank, whatever its spaces', () => {
  const pattern = patternOf('name', '');
  const blank = everyCharacter.filter((character) => character.trim() === '');
  expect(blank.filter((space) => pattern.test(space.repeat(2)))).toEqual([]);
  const spaces = blank.filter((each) => !hasUnprintable(each)).join('');
  expect(pattern.test(`${spaces}a b `)).toBe(true);
});

test('operator: unprintable characters are escaped as in JSON, and other text is unchanged', () => {
  expect(escapeUnprintable('gpj.\u202eexe \u001b[31mred\n\u0085')).toBe(
    'gpj.\\u202eexe \\u001b[31mred\\u000a\\u0085',
  );
  expect(escapeUnprintable('Café “Zoë” 😀 ‰')).toBe('Café “Zoë” 😀 ‰');
  expect(replaceUnprintable('a\u2029b\u200f', '_')).toBe('a_b_');
});

test('operator: escaped JSON is the same JSON', () => {
  const value = { name: 'a\u202eb\u0085\n', list: ['\u2066'] };
  const text = escapeLines(`${JSON.stringify(value, null, 2)}\n`);
  expect(text).toMatch(/^[\n -~]+$/);
  expect(JSON.parse(text)).toEqual(value);
});
