import { describe, expect, it } from 'vitest';
import { clientOf, customerId } from './support/client-of.js';
import { followChanges, search, take } from './support/follow-changes.js';
import { holdLongWaits } from './support/held-waits.js';
import { instant, type ListedMandate } from './support/mandate-list.js';

const { service, mandates, bodies, follow } = followChanges();

describe('§4.15 changes of mandates: each once, in order', () => {
  it('§4.15 yields past changes, finished mandates included, oldest first', async () => {
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

  it('§4.15 yields new changes, and no change twice', async () => {
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
  ])('§4.22 yields %i without a pause, in pages of 200', async (count, requests) => {
    mandates.add(count);
    expect(await take(count, follow())).toEqual(mandates.records);
    expect(bodies()).toHaveLength(requests);
  });

  it('§4.15 misses and repeats no change if mandates change while pages are read', async () => {
    mandates.add(450);
    const seen: ListedMandate[] = [];
    for await (const { id, updatedOn } of follow({ intervalMs: 1 })) {
      seen.push({ id, updatedOn });
      // Read and unread ones, of the current page and of later pages.
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

  it.each([2, 200, 201, 650])('§4.15 yields %i changes of one instant once each', async (count) => {
    mandates.add(2);
    mandates.add(count, { atOnce: true });
    mandates.add(2);
    expect(await take(count + 4, follow())).toEqual(mandates.records);
  });

  it('§4.15 yields later changes once if one instant fills more than a page', async () => {
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

  it('§4.15 misses no change of an instant if other mandates of that instant change again', async () => {
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

  it('§4.22 does not repeat the request at once if the counts are higher than the number of records', async () => {
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

/** Reads 450 records without leaving the iteration. */
async function take450(changes: AsyncIterator<ListedMandate>) {
  const taken: ListedMandate[] = [];
  while (taken.length < 450) {
    const { id, updatedOn } = (await changes.next()).value;
    taken.push({ id, updatedOn });
  }
  return taken;
}

describe('client: changes: requests', () => {
  it.each([
    ['text with an offset', '2026-03-02T09:00:00+01:00', '2026-03-02T09:00:00+01:00'],
    ['a Date', new Date('2026-03-02T09:00:00+01:00'), '2026-03-02T08:00:00.000Z'],
  ])('§4.15 since is %s', async (_, since, updatedSince) => {
    mandates.add(2);
    expect(await take(2, follow({ since }))).toEqual(mandates.records);
    expect(bodies()).toMatchObject([{ updatedSince }]);
  });

  it('§4.15 an iteration from the last instant starts with the changes of that instant', async () => {
    mandates.add(4);
    const [, second] = await take(2, follow());
    expect(await take(3, follow({ since: second?.updatedOn ?? '' }))).toEqual(
      mandates.records.slice(1),
    );
  });

  it('§4.15 each poll sends the filters, and no other fields', async () => {
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

  it('client: changes: does not accept the fields that it sets itself', () => {
    const { changes } = clientOf(service).mandates;
    // @ts-expect-error: since is required
    void (() => changes({}));
    // @ts-expect-error: it is set from since
    void (() => changes({ since: '', updatedSince: '' }));
    // @ts-expect-error: the order is always that of the changes
    void (() => changes({ since: '', sort: 'status' }));
    // @ts-expect-error: finished mandates are always included
    void (() => changes({ since: '', includeFinished: false }));
    // @ts-expect-error: paging is automatic
    void (() => changes({ since: '', offset: 3 }));
    expect(service.received).toEqual([]);
  });

  it.each([0, -1, Number.NaN])('client: changes: intervalMs %d is a TypeError', async (value) => {
    await expect(follow({ intervalMs: value }).next()).rejects.toBeInstanceOf(TypeError);
    expect(service.received).toEqual([]);
  });

  it.each([undefined, {}])('client: changes(%j) is a TypeError that says so', async (options) => {
    const changes = clientOf(service).mandates.changes(options as never);
    await expect(changes.next()).rejects.toEqual(
      new TypeError('changes takes an object with since, an instant'),
    );
  });
});
