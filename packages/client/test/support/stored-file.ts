import type { ServerResponse } from 'node:http';
import type { CodaFile } from '../../src/index.js';
import type { TestStorage } from './test-storage.js';

/** The content of a file in the storage. */
export const content = Buffer.from(
  '0000002032672505        00123456  Één afschrift\r\n'.repeat(5_000),
);

/** Answers with a complete file. */
export function answer(response: ServerResponse, bytes: Uint8Array = content): void {
  response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
}

/** Returns a URL of the storage that was signed this many minutes ago. */
export function presigned({ url }: TestStorage, name: string, minutesAgo = 1): string {
  const time = new Date(Date.now() - minutesAgo * 60_000).toISOString().replace(/[:-]|\.\d+/g, '');
  return `${url}/${name}?X-Amz-Date=${time}&X-Amz-Expires=1800&X-Amz-Signature=SECRET5`;
}

/** Returns a listed file. Its CODA file is `listed` in the storage. */
export function codaFile(storage: TestStorage, urls: Partial<CodaFile['urls']> = {}): CodaFile {
  return {
    id: '6741b2c3d4e5f6a7b8c9d0e1',
    fileName: 'BE71096123456769_EUR_2026_042.cod',
    statementDate: '2026-03-02',
    statementNumber: 42,
    processedOn: '2026-03-03T05:12:44.310Z',
    urls: { coda: presigned(storage, 'listed'), ...urls },
  };
}

/** Returns a list with these files, among others with the same number and date. */
export function listing(storage: TestStorage, ...files: CodaFile[]) {
  const other = { ...codaFile(storage), id: '0' };
  return {
    json: [
      { id: files[0]?.id, name: 'A', ibans: [{ iban: 'BE1', files: [other] }] },
      { id: '1', name: 'B', ibans: [{ files: [] }, { iban: 'BE2', files }] },
    ],
  };
}
