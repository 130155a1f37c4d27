import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import {
  parseCustomers,
  parseId,
  parseName,
  parseScopes,
  parseSwitch,
  parseUsername,
} from '../../src/operator/arguments.js';

const id = '673f0c2a9b1d4e8f7a6c5b4d';
const other = '673f0c2a9b1d4e8f7a6c5b4e';

describe('operator: what is accepted', () => {
  test('D-12 an id is read in any case', () => {
    expect(parseId(id.toUpperCase())).toBe(id);
  });

  test('operator: a name loses the blanks around it', () => {
    expect(parseName('  Kantoor Maes ')).toBe('Kantoor Maes');
  });

  test('D-18 customers are all, or ids, each counted once', () => {
    expect(parseCustomers('all')).toBe('all');
    expect(parseCustomers(`${id}, ${other.toUpperCase()},${id}`)).toEqual([id, other]);
  });

  test('§5 rule 6: scopes are counted once', () => {
    expect(parseScopes('files:read, customers:write,files:read')).toEqual([
      'files:read',
      'customers:write',
    ]);
  });

  test('operator: a switch is on or off', () => {
    expect([parseSwitch('on'), parseSwitch('off')]).toEqual([true, false]);
  });
});

describe('operator: what is refused, and how that reads', () => {
  test.each<[(text: string) => unknown, string, RegExp]>([
    [parseId, '', /24 hexadecimal/],
    [parseId, id.slice(1), /24 hexadecimal/],
    [parseId, ` ${id}`, /24 hexadecimal/],
    [parseName, '  ', /empty/],
    [parseName, 'x'.repeat(201), /longer than 200/],
    [parseName, 'Kantoor\u0000', /control characters/],
    [parseUsername, '', /empty/],
    [parseUsername, ' an@peeters.example', /surrounding blanks/],
    [parseUsername, 'an\n@peeters.example', /control characters/],
    [parseUsername, 'x'.repeat(255), /longer than 254/],
    [parseCustomers, '', /neither 'all' nor ids/],
    [parseCustomers, `all,${id}`, /neither 'all' nor ids/],
    [parseCustomers, `${id},`, /neither 'all' nor ids/],
    [parseScopes, '', /no scope ''/],
    [
      parseScopes,
      'customers:read,customers',
      /no scope 'customers'\. The scopes are customers:read, /,
    ],
    [parseScopes, 'toString', /no scope 'toString'/],
    [parseSwitch, 'true', /neither 'on' nor 'off'/],
  ])('operator: %o refuses %j', (parse, text, sentence) => {
    expect(() => parse(text)).toThrow(InvalidArgumentError);
    expect(() => parse(text)).toThrow(sentence);
  });
});
