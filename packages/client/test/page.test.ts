import { describe, expect, it } from 'vitest';
import { ServerError } from '../src/index.js';
import { clientOf } from './support/client-of.js';
import { failure, TestService } from './support/test-service.js';

const service = TestService.forEachTest();

const banks = 'POST /banks';
const names = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ name: `Bank ${from + index}` }));

/** Returns a page of `total` banks by the rules of §4.22. */
function listBanks(total: number) {
  service.on(banks, ({ body }) => {
    const { limit = 50, offset = 0 } = body as { limit?: number; offset?: number };
    const records = names(offset, Math.min(total, offset + Math.min(limit, 200)));
    return { json: { records, recordsTotal: total + 7, recordsFiltered: total } };
  });
}

async function all(iterable: AsyncIterable<{ name: string }>): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of iterable) found.push(name);
  return found;
}
const bodies = () =>
  service.received.filter(({ route }) => route === banks).map(({ body }) => body);

describe('§4.22 a paginated list', () => {
  it('§2.9 awaited, it returns one page in its envelope', async () => {
    listBanks(120);
    const page = await clientOf(service).banks.list({ limit: 10, offset: 20 });
    expect(page).toEqual({ records: names(20, 30), recordsTotal: 127, recordsFiltered: 120 });
    expect(bodies()).toEqual([{ limit: 10, offset: 20 }]);
  });

  it('§4 sends at least {}', async () => {
    listBanks(0);
    await clientOf(service).banks.list();
    expect(bodies()).toEqual([{}]);
  });

  it.each([
    [0, 50, 1],
    [49, 50, 1],
    [50, 50, 1],
    [51, 50, 2],
    [1_000, 200, 5],
    [1_001, 1_000, 6],
  ])(
    '§4.22 iterated, it yields all of %i records by %i in %i requests',
    async (total, limit, requests) => {
      listBanks(total);
      const found = await all(clientOf(service).banks.list({ limit }));
      expect(found).toEqual(names(0, total).map(({ name }) => name));
      expect(bodies()).toHaveLength(requests);
    },
  );

  it('§4.22 iterated from an offset, it yields the rest and keeps the filters', async () => {
    service.on('POST /customers', ({ body }) => {
      const { offset = 0 } = body as { offset?: number };
      return { json: { records: names(offset, offset + 1), recordsTotal: 9, recordsFiltered: 5 } };
    });
    const page = clientOf(service).customers.search({ search: 'maes', offset: 2 });
    expect(await all(page)).toEqual(['Bank 2', 'Bank 3', 'Bank 4']);
    expect(service.received.slice(1).map(({ body }) => body)).toEqual([
      { search: 'maes', offset: 2 },
      { search: 'maes', offset: 3 },
      { search: 'maes', offset: 4 },
    ]);
  });

  it('§4.22 an empty page ends the iteration, even if the counts are higher', async () => {
    service.on(banks, () => ({ json: { records: [], recordsTotal: 9, recordsFiltered: 9 } }));
    expect(await all(clientOf(service).banks.list())).toEqual([]);
    expect(bodies()).toHaveLength(1);
  });

  it('§4.22 the list may shrink during the iteration', async () => {
    service.on(banks, (_, nth) => ({
      json: {
        records: nth === 1 ? names(0, 2) : [],
        recordsTotal: 2,
        recordsFiltered: nth === 1 ? 4 : 2,
      },
    }));
    expect(await all(clientOf(service).banks.list())).toEqual(['Bank 0', 'Bank 1']);
  });

  it('client: an iteration that is left early makes no more requests', async () => {
    listBanks(1_000);
    for await (const _ of clientOf(service).banks.list()) break;
    expect(bodies()).toHaveLength(1);
  });

  it('client: a page awaited and then iterated requests its first page once', async () => {
    listBanks(60);
    const page = clientOf(service).banks.list();
    const [{ records }, again] = await Promise.all([page, page]);
    expect(again.records).toBe(records);
    expect(await all(page)).toHaveLength(60);
    expect(bodies()).toHaveLength(2);
  });

  it('client: an error on a later page ends the iteration with that error', async () => {
    service.on(banks, (_, nth) =>
      nth === 1
        ? { json: { records: names(0, 2), recordsTotal: 4, recordsFiltered: 4 } }
        : failure(500, 'internalError'),
    );
    const { banks: resource } = clientOf(service, { maxRetries: 0 });
    await expect(all(resource.list())).rejects.toBeInstanceOf(ServerError);
  });

  it('client: the signal ends an iteration too', async () => {
    listBanks(1_000);
    const controller = new AbortController();
    const found: string[] = [];
    const iterating = (async () => {
      const page = clientOf(service).banks.list({}, { signal: controller.signal });
      for await (const { name } of page) {
        found.push(name);
        if (found.length === 60) controller.abort();
      }
    })();
    await expect(iterating).rejects.toMatchObject({ name: 'AbortError' });
    expect(found).toHaveLength(100);
  });
});
