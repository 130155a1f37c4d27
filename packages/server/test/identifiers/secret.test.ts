import { expect, test } from 'vitest';
import { createSecret, digestOf, isSecret } from '../../src/identifiers/secret.js';

test('D-20 secrets: each has its prefix, 256 random bits, and the form of a secret', () => {
  const secrets = Array.from({ length: 100 }, () => createSecret('adx_live_'));
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    expect(secret.startsWith('adx_live_')).toBe(true);
    expect(Buffer.from(secret.slice('adx_live_'.length), 'base64url')).toHaveLength(32);
    expect(isSecret('adx_live_', secret)).toBe(true);
  }
});

const random = 'A'.repeat(41);

test.each([
  [`adx_live_${random}_-`, true],
  [`adx_live_${random}z9`, true],
  [`adx_test_${random}_-`, false],
  [`${random}_-`, false],
  [`adx_live_${random}_`, false],
  [`adx_live_${random}_-a`, false],
  [`adx_live_${random}_+`, false],
  [`adx_live_${random}_=`, false],
  [`adx_live_${random}_-\n`, false],
  [` adx_live_${random}_-`, false],
  ['', false],
])('D-20 secrets: %j has the form of a secret: %s', (text, expected) => {
  expect(isSecret('adx_live_', text)).toBe(expected);
});

test('D-20 secrets: the SHA-256 is stored', () => {
  // FIPS 180-4, the first example of SHA-256.
  expect(digestOf('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
