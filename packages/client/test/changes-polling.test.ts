import { describe, expect, it } from 'vitest';
import { followChanges, search, take } from './support/follow-changes.js';
import { holdLongWaits } from './support/held-waits.js';
import { type Answer, failure } from './support/test-service.js';

const { service, mandates, bodies, follow } = followChanges();

describe('client: changes: intervals', () => {
  it.each([
    ['a minute', {}, 60_000],
    ['intervalMs', { intervalMs: 3_600_000 }, 3_600_000],
  ])('client: changes: polls again after %s', async (_, options, milliseconds) => {
    const waits = holdLongWaits();
    const next = follow(options).next();
    await expect.poll(() => waits).toMatchObject([{ milliseconds }]);
    expect(bodies()).toHaveLength(1);
    mandates.add(1);
    waits[0]?.end();
    expect(await next).toMatchObject({ value: { id: 'm0000' } });
    expect(bodies()).toHaveLength(2);
  });

  it('client: changes: it waits directly after the last page', async () => {
    const waits = holdLongWaits();
    mandates.add(3);
    const controller = new AbortController();
    const reading = take(4, follow({ signal: controller.signal }));
    await expect.poll(() => waits).toHaveLength(1);
    expect(bodies()).toHaveLength(1);
    controller.abort();
    await expect(reading).rejects.toBe(controller.signal.reason);
  });

  it('client: changes: leaving the loop ends the polling', async () => {
    const waits = holdLongWaits();
    mandates.add(300);
    for await (const _ of follow()) break;
    expect(bodies()).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  it('client: changes: the signal ends the wait with its reason', async () => {
    const waits = holdLongWaits();
    const controller = new AbortController();
    const next = follow({ signal: controller.signal }).next();
    await expect.poll(() => waits).toHaveLength(1);
    expect(bodies()).toHaveLength(1);
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    expect(bodies()).toHaveLength(1);
  });

  it('client: changes: the signal ends the polling between two mandates', async () => {
    mandates.add(3);
    const controller = new AbortController();
    const changes = follow({ signal: controller.signal });
    await changes.next();
    controller.abort();
    await expect(changes.next()).rejects.toBe(controller.signal.reason);
    expect(await changes.next()).toEqual({ done: true, value: undefined });
  });

  it('client: changes: with an aborted signal nothing is sent', async () => {
    const signal = AbortSignal.abort();
    await expect(follow({ signal }).next()).rejects.toBe(signal.reason);
    expect(service.received).toEqual([]);
  });
});

describe('client: changes: failures', () => {
  const failures: [string, Answer][] = [
    ['a lost connection', { drop: 'before' }],
    ['429', failure(429, 'tooManyRequests')],
    ['500', failure(500, 'internalError')],
    ['502 of a proxy', { status: 502, text: 'Bad gateway' }],
    ['503', failure(503, 'unavailable')],
    ['408', { status: 408, text: '' }],
    ['425', { status: 425, text: '' }],
  ];

  it.each(failures)('client: changes: polling continues after %s', async (_, answer) => {
    mandates.add(202);
    service.on(search, (request, nth) =>
      nth === 1 || nth > 3 ? mandates.search(request) : answer,
    );
    const found = await take(202, follow({ intervalMs: 1, maxRetries: 0 }));
    expect(found).toEqual(mandates.records);
    expect(bodies()).toHaveLength(4);
  });

  it('client: changes: polling continues after a sign-in that was unavailable', async () => {
    mandates.add(1);
    const signIn = { idToken: 'a.b.c', refreshToken: 'refresh-1' };
    service.on('POST /token', (_, nth) =>
      nth === 1 ? failure(503, 'unavailable') : { json: signIn },
    );
    const found = await take(1, follow({ intervalMs: 1 }, { maxRetries: 0 }));
    expect(found).toEqual(mandates.records);
  });

  it('client: changes: a Retry-After that is longer than the interval is respected', async () => {
    const waits = holdLongWaits();
    mandates.add(1);
    const busy = { ...failure(503, 'unavailable'), headers: { 'retry-after': '300' } };
    service.on(search, (request, nth) => (nth === 1 ? busy : mandates.search(request)));
    const next = follow().next();
    await expect.poll(() => waits).toHaveLength(1);
    expect(bodies()).toHaveLength(1);
    expect(waits).toMatchObject([{ milliseconds: 300_000 }]);
    waits[0]?.end();
    expect(await next).toMatchObject({ value: { id: 'm0000' } });
  });

  it.each([
    ['400', search, failure(400, 'validationFailed'), 'BadRequestError'],
    ['401', search, failure(401, 'portalOnly'), 'UnauthorizedError'],
    ['403', search, failure(403, 'insufficientScope'), 'ForbiddenError'],
    ['501', search, failure(501, 'notImplemented'), 'NotImplementedError'],
    [
      'a refused sign-in',
      'POST /token',
      failure(500, 'Authentication failed'),
      'AuthenticationError',
    ],
  ])('client: changes: %s is thrown', async (_, route, answer, name) => {
    service.on(route, () => answer);
    await expect(follow({ intervalMs: 1 }).next()).rejects.toMatchObject({ name });
    expect(service.count(route)).toBe(1);
  });

  it('client: changes: a poll that fails is retried like other calls', async () => {
    mandates.add(1);
    service.on(search, (request, nth) =>
      nth < 3 ? failure(503, 'unavailable') : mandates.search(request),
    );
    expect(await take(1, follow())).toEqual(mandates.records);
    expect(bodies()).toHaveLength(3);
  });
});
