import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ipAddressOf } from '../../src/api/ip-address.js';

const addressOf = (ip: string | undefined, remoteAddress: string | undefined) =>
  ipAddressOf({ ip, socket: { remoteAddress } } as Parameters<typeof ipAddressOf>[0]);

test.each<[ip: string, expected: string]>([
  ['192.0.2.1', '192.0.2.1'],
  ['203.0.113.9:51022', '203.0.113.9'],
  ['203.0.113.9:_obfuscated', '203.0.113.9'],
  [' "[2001:db8::7]:51022" ', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:0DB8:0:0::0007', '2001:db8::7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:443', 'fe80::1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['[::FFFF:c000:201]:80', '192.0.2.1'],
  ...['Jan Peeters', 'unknown', '_hidden', '', '1.2.3', '203.0.113.999:80', '[]:80', '[::1'].map(
    (text): [string, string] => [text, '10.0.0.1'],
  ),
])('D-58 the address of %s behind 10.0.0.1 is %s', (ip, expected) => {
  expect(addressOf(ip, '::ffff:10.0.0.1')).toBe(expected);
});

test('D-58 a connection that is gone has no address', () => {
  expect(addressOf(undefined, undefined)).toBeUndefined();
});

test('D-58 an address with port, brackets or zone is the same address', () => {
  const port = fc.nat(65_535);
  fc.assert(
    fc.property(fc.ipV4(), port, (ip, number) => {
      for (const text of [`${ip}:${number}`, `::ffff:${ip}`, `[::ffff:${ip}]:${number}`]) {
        expect(addressOf(text, undefined)).toBe(ip);
      }
    }),
  );
  fc.assert(
    fc.property(fc.ipV6(), port, (ip, number) => {
      const plain = addressOf(ip, undefined);
      expect(plain).toBeDefined();
      for (const text of [`[${ip}]`, `[${ip}]:${number}`, `"[${ip}%eth0]:${number}"`]) {
        expect(addressOf(text, undefined)).toBe(plain);
      }
      expect(addressOf(plain, undefined)).toBe(plain);
    }),
  );
});
