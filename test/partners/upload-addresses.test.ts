import { sign } from 'aws4';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestService } from '../../packages/client/test/support/test-service.js';
import {
  authorizationOf,
  type StorageRequest,
  secretAccessKey,
  TestStorage,
} from '../../packages/client/test/support/test-storage.js';
import { credentials } from '../../packages/client/test/support/upload-credentials.js';
import { oneIn } from '../support/rounds.js';
import { createSampleProject, type SampleProject } from './run-samples.js';
import { installedPrograms } from './whole-programs.js';

let service: TestService;
let storage: TestStorage;
let project: SampleProject;
beforeAll(async () => {
  [service, storage, project] = await Promise.all([
    TestService.start(),
    TestStorage.start(),
    createSampleProject(),
  ]);
});
afterAll(() => Promise.all([service.stop(), storage.stop(), project.remove()]));

const region = 'eu-west-1';

/** In TypeScript the client signs, which has tests of its own. */
const signing = installedPrograms('upload').filter(({ language }) => language !== 'TypeScript');

test.each(oneIn(3, signing))(
  'D-19 the program upload in $language signs for a storage that has the bucket in its address',
  async ({ language, source }) => {
    const [, port] = storage.url.split(/:(?=\d+$)/);
    const given = {
      ...credentials(1),
      bucketName: '127.0.0.1',
      endpoint: `http://{bucket}:${port}`,
    };
    const upload = { key: 'statement.cod', status: 'rejected', findings: [], files: [], etag: 'e' };
    service.on('POST /coda-files/upload-credentials', () => ({ json: { ...given, region } }));
    service.on('POST /uploads', () => ({
      json: { records: [{ ...upload, prefix: given.prefix }] },
    }));
    storage.received.length = 0;
    const run = await project.build(language, { program: source });
    const { baseUrl: ADX_URL } = service;
    await run('program', { ADX_URL, ADX_API_KEY: 'k', ADX_USERNAME: 'u', ADX_PASSWORD: 'p' });
    const [request] = storage.received;
    expect(request?.bytes.toString()).toBe('This is not a statement.');
    expect(request?.url).toMatch(/^\/uploads\/kantoor-maes\/statement\.cod(\?|$)/);
    if (request) expectSigned(request, given);
  },
);

/** Compares the signature with that of another implementation. */
function expectSigned(
  request: StorageRequest,
  { accessKeyId, sessionToken }: ReturnType<typeof credentials>,
): void {
  const { method, url, headers } = request;
  if (headers.authorization !== undefined) {
    expect(headers.authorization).toBe(authorizationOf(request, region));
    return;
  }
  const path = url.replace(/&X-Amz-Signature=.*$/, '');
  const signed = sign(
    { method, path, service: 's3', region, signQuery: true, headers: { host: headers.host } },
    { accessKeyId, secretAccessKey, sessionToken },
  );
  const query = (text = '') => [...new URL(text, 'http://host').searchParams].sort();
  expect(query(url)).toEqual(query(signed.path));
}
