import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AuthenticationError,
  type Client,
  ForbiddenError,
  NotImplementedError,
  TimeoutError,
  type UploadRecord,
} from '../../src/index.js';
import { clientOf } from '../support/client-of.js';
import { callTimeoutMs, quickPolls } from '../support/quick-polls.js';
import { errorOf, failure, gate, TestService } from '../support/test-service.js';
import { TestStorage } from '../support/test-storage.js';
import { content, credentials, issue, name } from '../support/upload-credentials.js';

const list = 'POST /uploads';
const etag = '9b2cf535f27731c974343645a3985328';

const service = TestService.forEachTest();
const storage = TestStorage.forEachTest();
let client: Client;
/** The pauses between polls so far, in ms. */
let pauses: number[];
/** The uploads that have an outcome, the latest first. */
let settled: UploadRecord[];
beforeEach(() => {
  const storageUrl = storage.url;
  service.on(issue, (_, nth) => ({ json: { ...credentials(nth), endpoint: storageUrl } }));
  storage.answering = (response) => response.writeHead(200, { etag: `"${etag}"` }).end();
  settled = [];
  service.on(list, ({ body }) => {
    const { offset = 0, limit } = body as { offset?: number; limit: number };
    const records = settled.slice(offset, offset + limit);
    return { json: { records, recordsTotal: 900, recordsFiltered: settled.length } };
  });
  client = clientOf(service, { timeoutMs: callTimeoutMs, maxRetries: 0 });
  pauses = quickPolls();
});
afterEach(() => vi.restoreAllMocks());

/** Returns an upload with this key, as the service lists it. */
function recordOf({ key }: { key: string }, other: Partial<UploadRecord> = {}): UploadRecord {
  const end = key.lastIndexOf('/');
  return {
    ...{ id: '674052e5b8e3d2a9f1c47b10', product: 'CODA', status: 'processed', etag },
    ...{ prefix: key.slice(0, end), key: key.slice(end + 1) },
    ...{ receivedOn: '2026-03-03T05:12:41.000Z', settledOn: '2026-03-03T05:12:44.310Z' },
    ...{ fileCount: 0, files: [], findingCount: 0, findings: [], ...other },
  };
}

const finding = { severity: 'error', code: 'unknownAccount', message: 'No.' } as const;

const upload = (from = client) => from.codaFiles.upload(content, name);
const polls = () => service.received.filter(({ route }) => route === list);
/** Returns the time since which the first poll looked for uploads, in ms. */
const pollsSince = () => Date.parse(JSON.parse(JSON.stringify(polls()[0]?.body)).receivedSince);

describe('client: the outcome of an upload', () => {
  it('D-32 it is polled for, since the upload began', async () => {
    const before = Date.now();
    const stored = await upload();
    settled = [recordOf({ key: 'uploads/kantoor-maes/other.cod' }), recordOf(stored)];
    expect(await stored.outcome()).toEqual(settled[1]);
    expect(polls()).toMatchObject([{ body: { status: ['processed', 'rejected'], limit: 200 } }]);
    const since = pollsSince();
    expect(since).toBeGreaterThan(before - 20_000);
    // Storages round the times of their objects, and the clocks of their servers differ.
    expect(since).toBeLessThan(before - 3_000);
  });

  it('D-32 the storage does not show its time: it is polled for since 15 minutes before', async () => {
    storage.answering = (response) => {
      response.sendDate = false;
      response.end();
    };
    const stored = await upload();
    const after = Date.now();
    settled = [recordOf(stored)];
    await stored.outcome();
    expect(pollsSince()).toBeLessThanOrEqual(after - 15 * 60_000);
  });

  it('D-32 a rejected upload is an outcome, with all its findings', async () => {
    const stored = await upload();
    const whole = recordOf(stored, {
      ...{ status: 'rejected', findingCount: 2, findings: [finding, finding] },
    });
    settled = [{ ...whole, findings: [finding] }];
    service.on(`GET /uploads/${whole.id}`, () => ({ json: whole }));
    expect(await stored.outcome()).toEqual(whole);
  });

  it('D-32 an upload that is read again after the poll has no outcome until then', async () => {
    const stored = await upload();
    const whole = recordOf(stored, { findingCount: 2, findings: [finding, finding] });
    const { settledOn: _, ...rest } = whole;
    const again: UploadRecord = { ...rest, status: 'received', findingCount: 0, findings: [] };
    settled = [{ ...whole, findings: [finding] }];
    service.on(`GET /uploads/${whole.id}`, (_, nth) => ({ json: nth === 1 ? again : whole }));
    expect(await stored.outcome()).toEqual(whole);
  });

  it('D-32 another content under the same key is not taken for it', async () => {
    const stored = await upload();
    const own = recordOf(stored, { id: '674052e5b8e3d2a9f1c47b11' });
    settled = [
      recordOf(stored, { etag: '1f3870be274f6c49b3e31a0c6728957f' }),
      own,
      recordOf(stored, { prefix: 'uploads/kantoor-maes-2' }),
    ];
    expect(await stored.outcome()).toMatchObject({ id: own.id });
  });

  it.each([
    ['that was put first', '44.311', '44.310'],
    ['that was put last, and was settled first', '44.310', '44.311'],
    ['that was put first, if both were settled at once', '44.310', '44.310'],
  ])('D-32 of the same content put twice, the one %s', async (which, last, first) => {
    const stored = await upload();
    const put = (id: string, seconds: string) =>
      recordOf(stored, { id, settledOn: `2026-03-03T05:12:${seconds}Z` });
    settled = [put('674052e5b8e3d2a9f1c47b12', last), put('674052e5b8e3d2a9f1c47b11', first)];
    const expected = settled[which.startsWith('that was put first') ? 1 : 0];
    expect(await stored.outcome()).toEqual(expected);
  });

  it('D-32 further pages are read', async () => {
    const stored = await upload();
    const others = Array.from({ length: 250 }, (_, i) => recordOf({ key: `uploads/x/${i}` }));
    settled = [...others, recordOf(stored)];
    expect(await stored.outcome()).toEqual(settled[250]);
    expect(polls().map(({ body }) => (body as { offset?: number }).offset)).toEqual([
      undefined,
      200,
    ]);
  });

  it('D-32 20 uploads that wait share the polls', async () => {
    const stored = await Promise.all(Array.from({ length: 20 }, () => upload()));
    settled = stored.map((each) => recordOf(each));
    const outcomes = await Promise.all(stored.map((each) => each.outcome()));
    expect(outcomes).toEqual(settled);
    expect(polls()).toHaveLength(1);
    // None of them has postponed the poll of the others.
    expect(pauses).toEqual([2_000]);
  });

  it('D-32 the pauses between polls grow to 30 seconds, and end with the wait', async () => {
    const stored = await upload();
    const outcome = stored.outcome();
    await expect.poll(() => polls().length).toBeGreaterThan(9);
    settled = [recordOf(stored)];
    await outcome;
    const rounded = pauses.map((milliseconds) => Math.round(milliseconds));
    expect(rounded.slice(0, 9)).toEqual([
      ...[2_000, 2_000, 3_000, 4_500, 6_750, 10_125, 15_188, 22_781, 30_000],
    ]);
    const { length } = polls();
    const later = await upload();
    settled = [recordOf(later)];
    await later.outcome();
    expect(polls()).toHaveLength(length + 1);
    expect(pauses.at(-1)).toBe(2_000);
  });
});

describe('client: the end of the wait for an outcome', () => {
  it('D-32 a TimeoutError after timeoutMs, and no further polls', async () => {
    const stored = await upload();
    const error = await errorOf(stored.outcome({ timeoutMs: 200 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ operation: 'listUploads' });
    const { length } = polls();
    // Pauses take no time here, so further polls would arrive meanwhile.
    await upload();
    expect(polls().length).toBeLessThanOrEqual(length + 1);
    // It can be waited for again.
    settled = [recordOf(stored)];
    expect(await stored.outcome()).toEqual(settled[0]);
  });

  it('D-32 10 minutes by default', async () => {
    const stored = await upload();
    settled = [recordOf(stored)];
    await stored.outcome();
    const times = vi.mocked(setTimeout).mock.calls.map(([, milliseconds]) => milliseconds);
    expect(times).toContain(600_000);
  });

  it('D-32 the signal ends one wait, and the others go on', async () => {
    const [one, other] = [await upload(), await upload()];
    const controller = new AbortController();
    const aborted = errorOf(one.outcome({ signal: controller.signal }));
    const outcome = other.outcome();
    await expect.poll(() => polls().length).toBeGreaterThan(1);
    controller.abort();
    expect(await aborted).toBe(controller.signal.reason);
    settled = [recordOf(other)];
    expect(await outcome).toEqual(settled[0]);
  });

  it('D-32 the last wait that ends cancels the poll', async () => {
    const requests: RequestInit[] = [];
    const observed = clientOf(service, {
      ...{ timeoutMs: callTimeoutMs, maxRetries: 0 },
      fetch(url, init) {
        if (url.endsWith('/uploads')) requests.push(init);
        return fetch(url, init);
      },
    });
    const stored = await upload(observed);
    const { opened, open } = gate();
    service.on(list, async () => {
      await opened;
      return { json: {} };
    });
    const controller = new AbortController();
    const aborted = errorOf(stored.outcome({ signal: controller.signal }));
    await expect.poll(() => polls().length).toBe(1);
    controller.abort();
    await aborted;
    expect(requests.map(({ signal }) => signal?.aborted)).toEqual([true]);
    const { length } = pauses;
    open();
    const next = await upload(observed);
    service.on(list, () => ({
      json: { records: [recordOf(next)], recordsTotal: 1, recordsFiltered: 1 },
    }));
    await next.outcome();
    expect(pauses).toHaveLength(length + 1);
  });

  it('D-32 a temporary failure does not end it, and Retry-After is kept', async () => {
    const stored = await upload();
    settled = [recordOf(stored)];
    const answers = [
      { ...failure(503, 'unavailable'), headers: { 'retry-after': '7' } },
      failure(500, 'internalError'),
      { drop: 'before' } as const,
    ];
    const page = { records: settled, recordsTotal: 1, recordsFiltered: 1 };
    service.on(list, (_, nth) => answers[nth - 1] ?? { json: page });
    expect(await stored.outcome()).toEqual(settled[0]);
    expect(polls()).toHaveLength(4);
    expect(pauses[1]).toBeGreaterThan(6_000);
  });

  it('D-32 a temporary failure to read all findings does not end it either', async () => {
    const stored = await upload();
    const whole = recordOf(stored, { findingCount: 2, findings: [finding, finding] });
    settled = [{ ...whole, findings: [finding] }];
    const failures = [failure(503, 'unavailable'), { drop: 'before' } as const];
    service.on(`GET /uploads/${whole.id}`, (_, nth) => failures[nth - 1] ?? { json: whole });
    expect(await stored.outcome()).toEqual(whole);
  });

  it.each([
    ['403', failure(403, 'insufficientScope'), ForbiddenError],
    ['501', failure(501, 'notImplemented'), NotImplementedError],
    ['a refused sign-in', failure(401, 'unauthorized'), AuthenticationError],
  ])('D-32 %s ends all waits', async (_, refusal, type) => {
    service.on(list, () => refusal);
    const stored = [await upload(), await upload()];
    service.on('POST /token', () => failure(500, 'Authentication failed'));
    const errors = await Promise.all(stored.map((each) => errorOf(each.outcome())));
    for (const error of errors) expect(error).toBeInstanceOf(type);
    expect(polls()).toHaveLength(1);
  });
});
