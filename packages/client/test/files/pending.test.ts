import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, win32 } from 'node:path';
import { spec } from '@adx/contract/spec';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { anyCharacter } from '../../../../test/support/any-character.js';
import { rounds } from '../../../../test/support/rounds.js';
import { AdxError, type CodaFile, ServerError } from '../../src/index.js';
import { clientOf } from '../support/client-of.js';
import { answer, codaFile } from '../support/stored-file.js';
import { errorOf, failure, gate, TestService } from '../support/test-service.js';
import { TestStorage } from '../support/test-storage.js';

const service = TestService.forEachTest();
const storage = TestStorage.forEachTest();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adx-pending-'));
  storage.answering = (response, { url }) => answer(response, Buffer.from(`at ${url.slice(1, 4)}`));
  service.on('POST /coda-files/acknowledgements', ({ body }) => ({
    json: { acknowledged: (body as { fileIds: string[] }).fileIds, notFound: [] },
  }));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

const customer = { id: 'c', name: 'Bakkerij', enterpriseNumber: '0765.432.146' };

/** Returns a file whose place in time is its number. */
function numbered(number: number): CodaFile {
  const digits = String(number).padStart(3, '0');
  return {
    ...codaFile(storage),
    id: `id-${digits}`,
    fileName: `file-${digits}.cod`,
    processedOn: `2026-03-03T05:12:44.${digits}Z`,
    urls: { coda: `${storage.url}/${digits}` },
  };
}

/** Lists files from now on, those with odd numbers before the others. */
function serveFiles(...numbers: number[]): void {
  const files = numbers.map(numbered);
  const group = (rest: number) => ({
    ...{ iban: `BE${rest}`, currency: 'EUR', year: 2026 },
    files: files.filter((_, index) => (numbers[index] ?? 0) % 2 === rest),
  });
  service.on('POST /coda-files', () => ({
    json: [{ ...customer, ibans: [group(1), group(0)] }],
  }));
}

const acknowledged = () =>
  service.received
    .filter(({ route }) => route === 'POST /coda-files/acknowledgements')
    .map(({ body }) => (body as { fileIds: string[] }).fileIds);
const range = (length: number) => Array.from({ length }, (_, index) => index);

describe('client: pending files', () => {
  it('D-50 come oldest first, with the fields of their account and their customer', async () => {
    serveFiles(3, 4, 1, 2);
    const seen: string[] = [];
    const filters = { iban: 'BE1', includePdf: true };
    for await (const file of clientOf(service).codaFiles.pending(filters)) {
      seen.push(`${file.fileName} ${file.iban} ${file.year}`);
      expect(file.customer).toEqual(customer);
    }
    expect(seen).toEqual([
      'file-001.cod BE1 2026',
      'file-002.cod BE0 2026',
      'file-003.cod BE1 2026',
      'file-004.cod BE0 2026',
    ]);
    const lists = service.received.filter(({ route }) => route === 'POST /coda-files');
    expect(lists.map(({ body }) => body)).toEqual([filters]);
    expect(acknowledged()).toEqual([]);
  });

  it('D-50 are saved, and acknowledged in one call when the loop ends', async () => {
    serveFiles(1, 2, 3);
    for await (const file of clientOf(service).codaFiles.pending()) {
      await file.save(join(folder, file.fileName));
      if (file.fileName !== 'file-002.cod') file.acknowledge();
    }
    expect(acknowledged()).toEqual([['id-001', 'id-003']]);
    expect((await readdir(folder)).sort()).toEqual([
      'file-001.cod',
      'file-002.cod',
      'file-003.cod',
    ]);
    expect(await readFile(join(folder, 'file-003.cod'), 'utf8')).toBe('at 003');
  });

  it('D-50 are acknowledged when the loop is left, also by an error of the program', async () => {
    serveFiles(1, 2);
    const { codaFiles } = clientOf(service);
    for await (const file of codaFiles.pending()) {
      file.acknowledge();
      break;
    }
    const failed = new Error('no space left');
    const run = async () => {
      for await (const file of codaFiles.pending()) {
        file.acknowledge();
        throw failed;
      }
    };
    expect(await errorOf(run())).toBe(failed);
    expect(acknowledged()).toEqual([['id-001'], ['id-001']]);
  });

  it('D-50 are acknowledged after a second while the program works on a file', async () => {
    serveFiles(1, 2, 3);
    const gates = [gate(), gate()];
    const calls = gates.values();
    service.on('POST /coda-files/acknowledgements', () => {
      calls.next().value?.open();
      return { json: { acknowledged: [], notFound: [] } };
    });
    const files = clientOf(service).codaFiles.pending();
    for (const { opened } of gates) {
      (await files.next()).value.acknowledge();
      await opened;
    }
    expect(acknowledged()).toEqual([['id-001'], ['id-002']]);
    await files.return?.();
  });

  it('D-49, D-50 are acknowledged in groups of 500, each file once', async () => {
    serveFiles(...range(1100));
    for await (const file of clientOf(service).codaFiles.pending()) {
      file.acknowledge();
      file.acknowledge();
    }
    const groups = acknowledged();
    expect(groups.flat()).toHaveLength(1100);
    expect(new Set(groups.flat()).size).toBe(1100);
    expect(Math.max(...groups.map(({ length }) => length))).toBe(500);
  });

  it('D-50 the loop throws the error once acknowledging fails, and sends nothing more', async () => {
    serveFiles(...range(900));
    service.on('POST /coda-files/acknowledgements', () => failure(500, 'internalError'));
    let seen = 0;
    const run = async () => {
      for await (const file of clientOf(service, { maxRetries: 0 }).codaFiles.pending()) {
        file.acknowledge();
        seen += 1;
        if (seen > 500) await file.bytes();
      }
    };
    expect(await errorOf(run())).toBeInstanceOf(ServerError);
    expect(seen).toBeLessThan(900);
    expect(acknowledged().map(({ length }) => length)).toEqual([500]);
  });

  it('D-50 an answer with a name that the spec does not allow is refused, whatever the name', async () => {
    const pattern = String(
      spec.components.schemas['CodaFile']?.properties?.['fileName']?.['pattern'],
    );
    const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.constantFrom('../escape.cod', 'NUL.cod', '/etc/x.cod', 'statement.cod\n', '', null, 5),
          fc.string({ unit: anyCharacter }),
          fc.stringMatching(new RegExp(pattern)),
        ),
        fc.constantFrom('file', 'group'),
        async (fileName, place) => {
          const file = { ...numbered(1), ...(place === 'file' && { fileName }) };
          const group = { ...(place === 'group' && { fileName }), files: [file] };
          service.on('POST /coda-files', () => ({ json: [{ ibans: [group] }] }));
          const upload = { files: [{ fileName }] };
          service.on('POST /uploads', () => ({ json: { records: [upload] } }));
          service.on('GET /uploads/1', () => ({ json: upload }));
          const { codaFiles, uploads } = clientOf(service);
          const isName = typeof fileName === 'string' && new RegExp(pattern, 'u').test(fileName);
          const files = [codaFiles.list(), codaFiles.pending().next()];
          const calls = [...files, uploads.list(), uploads.get('1')];
          for (const answer of await Promise.all(calls.map((it) => errorOf(Promise.resolve(it))))) {
            expect(answer instanceof AdxError).toBe(!isName);
          }
          if (isName) expect(basename(win32.basename(fileName))).toBe(fileName);
          if (isName) expect(fileName).not.toMatch(device);
        },
      ),
      { numRuns: rounds({ short: 10, all: 40 }) },
    );
  });

  it.each([5, 'id', null])('D-50 %j in place of filters is a TypeError', async (filters) => {
    const files = clientOf(service).codaFiles.pending(filters as never);
    expect(await errorOf(files.next())).toEqual(
      new TypeError('pending takes an object with filters'),
    );
  });

  it('D-50 a file cannot be acknowledged after the loop', async () => {
    serveFiles(1);
    let last = () => {};
    for await (const file of clientOf(service).codaFiles.pending()) last = file.acknowledge;
    expect(last).toThrow('after the loop; use acknowledgeMany');
    expect(acknowledged()).toEqual([]);
  });

  it('D-50 are listed again before their URLs expire, without those that were given', async () => {
    serveFiles(1, 2, 3);
    let minutes = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => minutes * 60_000);
    const seen: string[] = [];
    for await (const { fileName } of clientOf(service).codaFiles.pending()) {
      seen.push(fileName);
      serveFiles(1, 2, 3, 4);
      minutes += 19;
    }
    expect(seen).toEqual(['file-001.cod', 'file-002.cod', 'file-003.cod', 'file-004.cod']);
    expect(service.count('POST /coda-files')).toBe(2);
  });

  it('D-50 the signal ends the loop, and what is stored is acknowledged', async () => {
    serveFiles(1, 2);
    const stop = new AbortController();
    const run = async () => {
      for await (const file of clientOf(service).codaFiles.pending({ signal: stop.signal })) {
        file.acknowledge();
        stop.abort(new Error('SIGTERM'));
      }
    };
    expect(await errorOf(run())).toEqual(new Error('SIGTERM'));
    expect(acknowledged()).toEqual([['id-001']]);
  });

  it('D-50 bytes() returns the content, or the PDF', async () => {
    serveFiles(1);
    const pdf = `${storage.url}/pdf`;
    service.on('POST /coda-files', () => ({
      json: [
        {
          ...customer,
          ibans: [{ files: [{ ...numbered(1), urls: { coda: `${storage.url}/001`, pdf } }] }],
        },
      ],
    }));
    for await (const file of clientOf(service).codaFiles.pending({ includePdf: true })) {
      expect(Buffer.from(await file.bytes()).toString()).toBe('at 001');
      expect(Buffer.from(await file.bytes({ kind: 'pdf' })).toString()).toBe('at pdf');
    }
  });
});
