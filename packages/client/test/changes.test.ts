import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, UnavailableError } from '../src/index.js';
import { clientOf, customerId } from './support/client-of.js';
import { holdLongWaits } from './support/held-waits.js';
import { instant, type ListedMandate, MandateList } from './support/mandate-list.js';
import { type Answer, failure, TestService } from './support/test-service.js';

let service: TestService;
let mandates: MandateList;
beforeEach(async () => {
  service = await TestService.start();
  mandates = new MandateList();
  service.on(search, (request) => mandates.search(request));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await service.stop();
});

const search = 'POST /mandates';
const bodies = () =>
  service.received.filter(({ route }) => route === search).map(({ body }) => body);

type Following = Parameters<ReturnType<typeof clientOf>['mandates']['changes']>[0];
function follow(options: Partial<Following> = {}, client: Partial<ClientOptions> = {}) {
  return clientOf(service, client).mandates.changes({ since: instant(0), ...options });
}

/** The first records of an iteration, which is then left. */
async function take(count: number, changes: AsyncIterable<ListedMandate>) {
  const taken: ListedMandate[] = [];
  for await (const { id, updatedOn } of changes) {
    taken.push({ id, updatedOn });
    if (taken.length === count) break;
  }
  return taken;
}

describe('§4.15 changes of mandates: each once, in order', () => {
  it('§4.15 gives those of the past, finished ones included, the oldest first', async () => {
    mandates.add(3);
    expect(await take(3, follow())).toEqual(mandates.records);
    expect(bodies()).toEqual([
      {
        updatedSince: instant(0),
        includeFinished: true,
        sort: 'updatedOn',
        sortDirection: 'asc',
        limit: 200,
        offset: 0,
      },
    ]);
  });

  it('§4.15 gives those that come, and no other one again', async () => {
    mandates.add(3);
    const changes = follow({ intervalMs: 1 });
    const before = mandates.records;
    const [first, second, third] = [changes.next(), changes.next(), changes.next()];
    expect(await Promise.all([first, second, third])).toMatchObject(
      before.map((value) => ({ value })),
    );
    const next = changes.next();
    await expect.poll(() => bodies().length).toBeGreaterThan(3);
    mandates.change('m0001');
    expect(await next).toMatchObject({ value: { id: 'm0001', updatedOn: instant(4) } });
    await changes.return?.();
  });

  it.each([
    [200, 1],
    [201, 2],
    [598, 3],
    [600, 4],
  ])('§4.22 gives %i without a pause, a page of 200 at a time', async (count, requests) => {
    mandates.add(count);
    expect(await take(count, follow())).toEqual(mandates.records);
    expect(bodies()).toHaveLength(requests);
  });

  it('§4.15 misses and repeats nothing when mandates change while pages are read', async () => {
    mandates.add(450);
    const seen: ListedMandate[] = [];
    for await (const { id, updatedOn } of follow({ intervalMs: 1 })) {
      seen.push({ id, updatedOn });
      // Read ones and unread ones; of a page that came, and of those that are to come.
      const number = seen.length;
      if (number % 50 === 0 && number <= 600) {
        mandates.change(id, 'm0000', `m0${100 + (number % 350)}`, 'm0449');
      }
      if (updatedOn === mandates.records.at(-1)?.updatedOn) break;
    }
    const instants = seen.map(({ updatedOn }) => updatedOn);
    expect(instants).toEqual([...new Set(instants)].sort());
    const latest = new Map(seen.map(({ id, updatedOn }) => [id, updatedOn]));
    expect(latest).toEqual(new Map(mandates.records.map(({ id, updatedOn }) => [id, updatedOn])));
  });

  it.each([2, 200, 201, 650])('§4.15 gives %i changes of one instant once each', async (count) => {
    mandates.add(2);
    mandates.add(count, { atOnce: true });
    mandates.add(2);
    expect(await take(count + 4, follow())).toEqual(mandates.records);
  });

  it('§4.15 gives later changes once when one instant fills more than a page', async () => {
    mandates.add(450, { atOnce: true });
    const changes = follow({ intervalMs: 1 });
    const before = mandates.records;
    expect(await take450(changes)).toEqual(before);
    const next = changes.next();
    await expect.poll(() => bodies().length).toBeGreaterThan(8);
    mandates.add(1);
    expect(await next).toMatchObject({ value: { id: 'm0450' } });
    await changes.return?.();
  });

  it('§4.15 misses none of one instant when others leave it meanwhile', async () => {
    mandates.add(650, { atOnce: true });
    const seen: string[] = [];
    for await (const { id, updatedOn } of follow({ intervalMs: 1 })) {
      seen.push(id);
      if (seen.length === 150 || seen.length === 450) mandates.change(...seen.slice(-4));
      if (updatedOn === instant(9)) break;
    }
    expect(new Set(seen).size).toBe(650);
    expect(seen).toHaveLength(650 + 4 + 4);
  });

  it('§4.22 does not ask again at once where the counts promise more than comes', async () => {
    const waits = holdLongWaits();
    service.on(search, () => ({ json: { records: [], recordsTotal: 9, recordsFiltered: 9 } }));
    const controller = new AbortController();
    const next = follow({ signal: controller.signal }).next();
    await expect.poll(() => waits).toHaveLength(1);
    expect(bodies()).toHaveLength(1);
    controller.abort();
    await expect(next).rejects.toBe(controller.signal.reason);
  });
});

async function take450(changes: AsyncIterator<ListedMandate>) {
  const taken: ListedMandate[] = [];
  while (taken.length < 450) {
    const { id, updatedOn } = (await changes.next()).value;
    taken.push({ id, updatedOn });
  }
  return taken;
}

describe('client: changes: what is asked for', () => {
  it.each([
    ['text with an offset', '2026-03-02T09:00:00+01:00', '2026-03-02T09:00:00+01:00'],
    ['a Date', new Date('2026-03-02T09:00:00+01:00'), '2026-03-02T08:00:00.000Z'],
  ])('§4.15 since is %s', async (_, since, updatedSince) => {
    mandates.add(2);
    expect(await take(2, follow({ since }))).toEqual(mandates.records);
    expect(bodies()).toMatchObject([{ updatedSince }]);
  });

  it('§4.15 from the last instant on, an iteration begins with what changed then', async () => {
    mandates.add(4);
    const [, second] = await take(2, follow());
    expect(await take(3, follow({ since: second?.updatedOn ?? '' }))).toEqual(
      mandates.records.slice(1),
    );
  });

  it('§4.15 filters are sent with each poll, and nothing else is', async () => {
    mandates.add(201);
    const { signal } = new AbortController();
    const filters = { customerId, product: 'CODA', status: ['created', 'finished'] } as const;
    const options = { ...filters, status: [...filters.status], signal, timeoutMs: 5_000 };
    await take(201, follow({ ...options, intervalMs: 10 }));
    const sent = { includeFinished: true, sort: 'updatedOn', sortDirection: 'asc', limit: 200 };
    expect(bodies()).toEqual([
      { ...filters, ...sent, updatedSince: instant(0), offset: 0 },
      { ...filters, ...sent, updatedSince: instant(200), offset: 0 },
    ]);
  });

  it('client: changes: takes nothing that is its own', () => {
    const { changes } = clientOf(service).mandates;
    // @ts-expect-error: from when on has to be said
    void (() => changes({}));
    // @ts-expect-error: as since
    void (() => changes({ since: '', updatedSince: '' }));
    // @ts-expect-error: the order is that of the changes
    void (() => changes({ since: '', sort: 'status' }));
    // @ts-expect-error: a change to finished is one too
    void (() => changes({ since: '', includeFinished: false }));
    // @ts-expect-error: it pages by itself
    void (() => changes({ since: '', offset: 3 }));
    expect(service.received).toEqual([]);
  });

  it.each([0, -1, Number.NaN])('client: changes: intervalMs %d is a TypeError', async (value) => {
    await expect(follow({ intervalMs: value }).next()).rejects.toBeInstanceOf(TypeError);
    expect(service.received).toEqual([]);
  });
});

describe('client: changes: when', () => {
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

  it('client: changes: after the last page there is, it waits at once', async () => {
    const waits = holdLongWaits();
    mandates.add(3);
    const controller = new AbortController();
    const reading = take(4, follow({ signal: controller.signal }));
    await expect.poll(() => waits).toHaveLength(1);
    expect(bodies()).toHaveLength(1);
    controller.abort();
    await expect(reading).rejects.toBe(controller.signal.reason);
  });

  it('client: changes: leaving the loop ends it', async () => {
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

  it('client: changes: the signal ends it between two mandates', async () => {
    mandates.add(3);
    const controller = new AbortController();
    const changes = follow({ signal: controller.signal });
    await changes.next();
    controller.abort();
    await expect(changes.next()).rejects.toBe(controller.signal.reason);
    expect(await changes.next()).toEqual({ done: true, value: undefined });
  });

  it('client: changes: after the signal nothing is sent', async () => {
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
  ];

  it.each(failures)('client: changes: %s is waited out', async (_, answer) => {
    mandates.add(202);
    service.on(search, (request, nth) =>
      nth === 1 || nth > 3 ? mandates.search(request) : answer,
    );
    const found = await take(202, follow({ intervalMs: 1 }, { maxRetries: 0 }));
    expect(found).toEqual(mandates.records);
    expect(bodies()).toHaveLength(4);
  });

  it('client: changes: a sign-in that is away is waited out', async () => {
    mandates.add(1);
    const signIn = { idToken: 'a.b.c', refreshToken: 'refresh-1' };
    service.on('POST /token', (_, nth) =>
      nth === 1 ? failure(503, 'unavailable') : { json: signIn },
    );
    const found = await take(1, follow({ intervalMs: 1 }, { maxRetries: 0 }));
    expect(found).toEqual(mandates.records);
  });

  it('client: changes: Retry-After is waited for, where it is longer', async () => {
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

  it('client: changes: each poll is repeated as other calls are', async () => {
    mandates.add(1);
    service.on(search, (request, nth) =>
      nth < 3 ? failure(503, 'unavailable') : mandates.search(request),
    );
    expect(await take(1, follow())).toEqual(mandates.records);
    await expect(clientOf(service).mandates.search({})).rejects.not.toBeInstanceOf(
      UnavailableError,
    );
  });
});
