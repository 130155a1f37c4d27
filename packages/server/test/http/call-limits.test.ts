import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createConcurrencyLimit } from '../../src/api/concurrency-limit.js';
import { createCallLimits } from '../../src/http/call-limits.js';
import { Caller } from '../api/concurrency-limit-property.js';

const never = () => new Promise<void>(() => {});
const response = () => new Caller() as unknown as Response;

test('D-39 sign-ins have turns of their own, and leave the shares of firms as they are', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const limits = createCallLimits({
    rateLimit: () => Promise.reject(new Error('No call is counted')),
    callsPerMinute: 1000,
    turnOfFirm: createConcurrencyLimit({ places: 2 }),
    turnOfSignIn: createConcurrencyLimit({ places: 1 }),
  });
  const apiKey = { id: '1', partner: 'Tests', scopes: [] };
  const principal = { firmId: '2', userId: '3', accessLevel: 'all' };
  const started: string[] = [];
  const start = (name: string, context: object) =>
    void limits.inTurn(response(), { apiKey, ...context }, () => {
      started.push(name);
      return never();
    });
  start('first sign-in', {});
  start('second sign-in', {});
  start('first call', { principal });
  start('second call', { principal });
  start('third call', { principal });
  await setImmediate();
  expect(started).toEqual(['first sign-in', 'first call', 'second call']);
});
