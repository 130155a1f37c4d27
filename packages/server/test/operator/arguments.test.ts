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

describe('operator: valid arguments', () => {
  test('D-12 an id is read in any case', () => {
    expect(parseId(id.toUpperCase())).toBe(id);
  });

  test('operator: surrounding spaces of a name are removed', () => {
    expect(parseName('  Kantoor Maes ')).toBe('Kantoor Maes');
  });

  test('D-18 customers are all, or ids without duplicates', () => {
    expect(parseCustomers('all')).toBe('all');
    expect(parseCustomers(`${id}, ${other.toUpperCase()},${id}`)).toEqual([id, other]);
  });

  test('§5 rule 6: scopes have no duplicates', () => {
    expect(parseScopes('files:read, customers:write,files:read')).toEqual([
      'files:read',
      'customers:write',
    ]);
  });

  test('operator: a switch is on or off', () => {
    expect([parseSwitch('on'), parseSwitch('off')]).toEqual([true, false]);
  });
});

describe('operator: invalid arguments and their messages', () => {
  test.each<[(text: string) => unknown, string, RegExp]>([
    [parseId, '', /24 hexadecimal/],
    [parseId, id.slice(1), /24 hexadecimal/],
    [parseId, ` ${id}`, /24 hexadecimal/],
    [parseName, '  ', /empty/],
    [parseName, 'x'.repeat(201), /longer than 200/],
    [parseName, 'Kantoor\u0000', /control characters/],
    [parseName, 'Kantoor\u202eseaM', /marks that change the direction of text/],
    [parseUsername, '', /empty/],
    [parseUsername, ' an@peeters.example', /surrounding spaces/],
    [parseUsername, 'an\n@peeters.example', /control characters/],
    [parseUsername, 'an\u200f@peeters.example', /marks that change the direction of text/],
    [parseUsername, 'x'.repeat(255), /longer than 254/],
    [parseCustomers, '', /24 hexadecimal/],
    [parseCustomers, `all,${id}`, /24 hexadecimal/],
    [parseCustomers, `${id},`, /24 hexadecimal/],
    [parseScopes, '', /no scope ''/],
    [
      parseScopes,
      'customers:read,customers',
      /no scope 'customers'\. The scopes are customers:read, /,
    ],
    [parseScopes, 'toString', /no scope 'toString'/],
    [parseSwitch, 'true', /Expected 'on' or 'off'/],
  ])('operator: %o refuses %j', (parse, text, sentence) => {
    expect(() => parse(text)).toThrow(InvalidArgumentError);
    expect(() => parse(text)).toThrow(sentence);
  });
});
