import { expect, test } from 'vitest';
import { ipAddressOf } from '../../src/api/ip-address.js';

test.each([
  ['192.0.2.1', '10.0.0.1', '192.0.2.1'],
  ['2001:db8::1', '10.0.0.1', '2001:db8::1'],
  ['::ffff:192.0.2.1', '10.0.0.1', '192.0.2.1'],
  ['Jan Peeters', '::ffff:10.0.0.1', '10.0.0.1'],
  ['192.0.2.1:4711', '10.0.0.1', '10.0.0.1'],
  [undefined, undefined, undefined],
])('D-58 the address of %s through %s is %s', (ip, remoteAddress, expected) => {
  const request = { ip, socket: { remoteAddress } } as Parameters<typeof ipAddressOf>[0];
  expect(ipAddressOf(request)).toBe(expected);
});
