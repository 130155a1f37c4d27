import { setImmediate } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ApiError } from '../../src/api/api-error.js';
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

test('D-69 refusals of a caller are sent one after the other, so that a flood of them leaves time to others', async () => {
  const limits = createCallLimits({
    rateLimit: async () => ({ isAllowed: true, remaining: 1, msLeft: 1 }),
    callsPerMinute: 1000,
    turnOfFirm: createConcurrencyLimit({ places: 2 }),
    turnOfSignIn: createConcurrencyLimit({ places: 1 }),
  });
  const sent = { unknown: 0, ofKey: 0, ofOther: 0 };
  const refuse = (name: keyof typeof sent, state: object) => {
    const caller = Object.assign(response(), { locals: state, setHeader: () => {} });
    const error = new ApiError('unauthorized');
    return limits.countRefused(error, {} as Request, caller, () => {
      sent[name] += 1;
    });
  };
  const begin = performance.now();
  const refusals = Array.from({ length: 20 }, () => [
    refuse('unknown', {}),
    refuse('ofKey', { apiKey: { id: '1' } }),
  ]);
  const ofOther = refuse('ofOther', { apiKey: { id: '2' } });
  await ofOther;
  // It waited for none of the others.
  expect(sent.unknown).toBeLessThan(20);
  while (sent.unknown + sent.ofKey < 40) {
    await setImmediate();
    // A timer may fire up to a millisecond early. No other caller's refusals wait for these.
    const most = performance.now() - begin;
    expect(Math.max(sent.unknown, sent.ofKey)).toBeLessThanOrEqual(most + 1);
  }
  await Promise.all(refusals.flat());
  expect(sent).toEqual({ unknown: 20, ofKey: 20, ofOther: 1 });
});
