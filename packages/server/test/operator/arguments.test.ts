import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import {
  parseCustomers,
  parseDay,
  parseDuration,
  parseEmail,
  parseId,
  parseName,
  parsePhone,
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

  test.each([
    ['0', 0],
    ['0d', 0],
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['7d', 604_800_000],
    ['90d', 7_776_000_000],
    ['2160h', 7_776_000_000],
  ])('operator: the duration %s is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each([
    ['2026-11-30', '2026-11-29T23:00:00.000Z'],
    ['2024-02-29', '2024-02-28T23:00:00.000Z'],
    ['9999-12-31', '9999-12-30T23:00:00.000Z'],
    // PostgreSQL reads no instant before the year 1 as JavaScript writes it.
    ['0000-02-29', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ])('operator: the day %s begins at %s', (text, instant) => {
    expect(parseDay(text).toISOString()).toBe(instant);
  });

  test.each(['', '2026-02-31', '2023-02-29', '2026-13-01', '2026-1-1', '10000-01-01', 'today'])(
    'operator: %j is not a day',
    (text) => {
      expect(() => parseDay(text)).toThrow('Expected a day');
    },
  );

  test.each(['', '7', '-1d', '1.5h', '7 d', '7D', '91d', '2161h', '1w', '1d1h', '0x1d', '00'])(
    'operator: %j is not a duration',
    (text) => {
      expect(() => parseDuration(text)).toThrow('Expected 0, or minutes, hours or days');
    },
  );

  test('D-18 customers are all, or ids without duplicates', () => {
    expect(parseCustomers('all')).toBe('all');
    expect(parseCustomers(`${id}, ${other.toUpperCase()},${id}`)).toEqual([id, other]);
  });

  test('D-36 an e-mail address', () => {
    for (const email of ['info@kantoor.be', 'An.De_Smet+adx@xn--bro-hoa.kantoor-maes.co.uk']) {
      expect(parseEmail(` ${email} `)).toBe(email);
    }
  });

  test('D-36 a phone number', () => {
    for (const phone of ['+3291234567', '+32 9 123 45 67', '09/123.45.67', '0478-12-34-56']) {
      expect(parsePhone(` ${phone} `)).toBe(phone);
    }
  });
});

const invalidEmails = [
  ...['', 'none', 'an', 'an@', '@x.be', 'an@x', 'an@x..be', '.an@x.be', 'an.@x.be', 'an@-x.be'],
  ...['an@x.be.', 'an@x.be\r\nBcc: spy@x.be', 'an@x.be, bo@x.be', 'An <an@x.be>', 'mailto:an@x.be'],
  ...['"an"@x.be', 'an@[192.0.2.7]', 'an@x.be?subject=a', 'an@x_y.be', `${'a'.repeat(65)}@x.be`],
];

const invalidPhones = [
  ...['', 'none', '1234567', '+0123456789', '+32 9 12', '+32  9 123 45 67', '0900-BEL-ONS'],
  ...['+32 9 123 45 67 ext. 8', '+32 (0)9 123 45 67', '+1234567890123456', '++3291234567'],
  ...['09 123 45 67, 09 123 45 68', 'tel:+3291234567', '+32 9 123\n45 67', '٠٩١٢٣٤٥٦٧'],
];

describe('operator: invalid arguments and their messages', () => {
  test.each<readonly [(text: string) => unknown, string, RegExp]>([
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
    ...invalidEmails.map((text) => [parseEmail, text, /e-mail address/] as const),
    ...invalidPhones.map((text) => [parsePhone, text, /phone number/] as const),
    [parseSwitch, 'true', /Expected 'on' or 'off'/],
  ])('operator: %o refuses %j', (parse, text, sentence) => {
    expect(() => parse(text)).toThrow(InvalidArgumentError);
    expect(() => parse(text)).toThrow(sentence);
  });
});
