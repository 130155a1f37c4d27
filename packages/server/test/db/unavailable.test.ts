import { expect, test } from 'vitest';
import { isUnavailable } from '../../src/db/unavailable.js';

const withCode = (code: string, more: object = {}) =>
  Object.assign(new Error('x'), { code, ...more });

test.each([
  ...['EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNABORTED', 'ECONNREFUSED', 'ETIMEDOUT'],
  // Closed connections, read-only after a failover, full memory or disk.
  ...['08006', '57P01', '57P05', '25P03', '25006', '53200', '53100'],
  // Another database is taking the place of this one.
  '3D000',
  // Lock timeout, deadlock and serialization failure: the same call succeeds when repeated.
  ...['55P03', '40P01', '40001'],
])('db: %s means that the database is unavailable', (code) => {
  expect(isUnavailable(withCode(code))).toBe(true);
});

test.each([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'select 1 - Connection terminated unexpectedly',
])('db: "%s" means that the database is unavailable', (message) => {
  expect(isUnavailable(new Error(message))).toBe(true);
});

test('db: a missing Unix socket is an outage, a missing file is not', () => {
  expect(isUnavailable(withCode('ENOENT', { syscall: 'connect' }))).toBe(true);
  expect(isUnavailable(withCode('ENOENT', { syscall: 'open' }))).toBe(false);
});

test.each(['23505', '42601', '22021', 'EACCES'])('db: %s is not an outage', (code) => {
  expect(isUnavailable(withCode(code))).toBe(false);
});

test('db: if all addresses of a host fail, the first error counts', () => {
  expect(isUnavailable(Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }))).toBe(
    true,
  );
});
