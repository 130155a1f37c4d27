import { afterEach, describe, expect, it, vi } from 'vitest';
import { ForbiddenError, NetworkError, NotFoundError, StorageError } from '../../src/index.js';
import { clientOf } from '../support/client-of.js';
import { answer, codaFile, content, listing, presigned } from '../support/stored-file.js';
import { errorOf, failure, TestService } from '../support/test-service.js';
import { refuse, TestStorage } from '../support/test-storage.js';

const service = TestService.forEachTest();
const storage = TestStorage.forEachTest();
afterEach(() => vi.restoreAllMocks());

const relisted = () =>
  service.received.filter(({ route }) => route === 'POST /coda-files').map(({ body }) => body);

describe('client: a URL that has expired', () => {
  const expectRelisted = (includePdf = false) =>
    expect(relisted()).toEqual([
      {
        redownload: true,
        includePdf,
        statementDate: { from: '2026-03-02', to: '2026-03-02' },
        statementNumber: { from: 42, to: 42 },
      },
    ]);

  it.each([-31, 0, 31, 600])(
    '§2.5 is replaced only if the storage says so, with a clock that is %i minutes ahead',
    async (ahead) => {
      const files = Array.from({ length: 5 }, (_, index) =>
        codaFile(storage, { coda: presigned(storage, `file-${index}`) }),
      );
      const now = Date.now();
      vi.spyOn(Date, 'now').mockImplementation(() => now + ahead * 60_000);
      storage.answering = (response) => answer(response);
      const { codaFiles } = clientOf(service);
      for (const file of files) await codaFiles.download(file);
      expect(relisted()).toEqual([]);
      expect(storage.received).toHaveLength(files.length);
    },
  );

  it.each([
    [403, 'AccessDenied'],
    [400, 'ExpiredToken'],
  ])('§2.5 is replaced once if the storage returns %i %s', async (status, code) => {
    storage.answering = (response, { url }) =>
      url.startsWith('/new') ? answer(response) : refuse(response, status, code);
    service.on('POST /coda-files', () =>
      listing(storage, codaFile(storage, { coda: presigned(storage, 'new') })),
    );
    const { bytes } = await clientOf(service).codaFiles.download(codaFile(storage));
    expect((await bytes()).length).toBe(content.length);
    expectRelisted();
  });

  it('§2.5 is not replaced twice', async () => {
    storage.answering = (response) => refuse(response, 403, 'AccessDenied');
    service.on('POST /coda-files', () =>
      listing(storage, codaFile(storage, { coda: presigned(storage, 'new') })),
    );
    const file = codaFile(storage, { coda: presigned(storage, 'old', 31) });
    const error = await errorOf(clientOf(service).codaFiles.download(file));
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({
      operation: 'listCodaFiles',
      status: 403,
      code: 'AccessDenied',
      requestId: 'S3-1',
    });
    expect(storage.received).toHaveLength(2);
    expectRelisted();
  });

  it('§2.5 the URL of a PDF that was not listed is requested', async () => {
    storage.answering = (response) => answer(response);
    service.on('POST /coda-files', () =>
      listing(storage, codaFile(storage, { pdf: presigned(storage, 'pdf') })),
    );
    await clientOf(service).codaFiles.download(codaFile(storage), { kind: 'pdf' });
    expect(storage.received[0]?.url).toMatch(/^\/pdf\?/);
    expectRelisted(true);
  });

  it('§2.5 of a file that is no longer listed is a NotFoundError', async () => {
    storage.answering = (response) => refuse(response, 403, 'AccessDenied');
    service.on('POST /coda-files', () => ({ json: [] }));
    const file = codaFile(storage, { coda: presigned(storage, 'old', 31) });
    const error = await errorOf(clientOf(service).codaFiles.download(file));
    expect(error).toBeInstanceOf(NotFoundError);
    expect((error as Error).message).toBe(`${file.fileName} is no longer listed`);
    expect(storage.received).toHaveLength(1);
  });

  it('§2.5 a PDF that the listed file does not have is a NotFoundError, which says so', async () => {
    const file = codaFile(storage);
    service.on('POST /coda-files', () => listing(storage, file));
    const error = await errorOf(clientOf(service).codaFiles.download(file, { kind: 'pdf' }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect((error as Error).message).toBe(`${file.fileName} has no pdf`);
  });

  it('§7 an error of the listing is passed on', async () => {
    storage.answering = (response) => refuse(response, 403, 'AccessDenied');
    service.on('POST /coda-files', () => failure(403, 'insufficientScope'));
    const file = codaFile(storage, { coda: presigned(storage, 'old', 31) });
    const error = await errorOf(clientOf(service).codaFiles.download(file));
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(error).not.toBeInstanceOf(StorageError);
  });

  it('client: appears in no error', async () => {
    storage.answering = (response) => response.destroy();
    const client = clientOf(service, { maxRetries: 0 });
    const lost = await errorOf(client.codaFiles.download(codaFile(storage)));
    storage.answering = (response) => refuse(response, 404, 'NoSuchKey');
    const refused = await errorOf(client.codaFiles.download(codaFile(storage)));
    expect(lost).toBeInstanceOf(NetworkError);
    for (const { message, stack } of [lost, refused] as Error[]) {
      expect(message + stack).not.toContain('SECRET5');
    }
  });
});
