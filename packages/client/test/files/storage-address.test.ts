import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../src/index.js';
import { clientOf } from '../support/client-of.js';
import { errorOf, TestService } from '../support/test-service.js';
import { content, credentials, issue, name } from '../support/upload-credentials.js';

let service: TestService;
beforeEach(async () => {
  service = await TestService.start();
  service.on(issue, (_, nth) => ({ json: credentials(nth) }));
});
afterEach(() => service.stop());

describe('client: the address of the storage', () => {
  /** Returns the URL to which a client with these options puts a file, and the region of its signature. */
  async function target(options: Partial<ClientOptions>) {
    const puts: Request[] = [];
    const client = clientOf(service, {
      ...options,
      fetch(request) {
        if (request.method !== 'PUT') return fetch(request);
        puts.push(request);
        return Promise.resolve(new Response());
      },
    });
    const { key } = await client.codaFiles.upload(content, name);
    const [{ url, headers } = new Request('http://localhost')] = puts;
    const region = headers.get('authorization')?.split('/')[2];
    return [url.replace(key, '…'), region];
  }

  it.each([
    [
      { storageRegion: 'eu-west-3' },
      'https://adx-coda-uploads.s3.eu-west-3.amazonaws.com/…',
      'eu-west-3',
    ],
    [
      { storageUrl: 'https://minio.example.org' },
      'https://minio.example.org/adx-coda-uploads/…',
      'us-east-1',
    ],
    [
      { storageUrl: 'https://minio.example.org/s3/' },
      'https://minio.example.org/s3/adx-coda-uploads/…',
      'us-east-1',
    ],
    [
      { storageUrl: 'https://{bucket}.ceph.example.org', storageRegion: 'gent' },
      'https://adx-coda-uploads.ceph.example.org/…',
      'gent',
    ],
    [
      { storageUrl: 'https://{bucket}.s3.eu-central-1.amazonaws.com' },
      'https://adx-coda-uploads.s3.eu-central-1.amazonaws.com/…',
      'eu-central-1',
    ],
    [
      { storageUrl: 'https://s3.eu-central-1.amazonaws.com' },
      'https://s3.eu-central-1.amazonaws.com/adx-coda-uploads/…',
      'eu-central-1',
    ],
    [
      { storageUrl: 'https://{bucket}.s3.dualstack.eu-west-1.amazonaws.com' },
      'https://adx-coda-uploads.s3.dualstack.eu-west-1.amazonaws.com/…',
      'eu-west-1',
    ],
  ])('client: %o puts to %s, signed for %s', async (options, url, region) => {
    expect(await target(options)).toEqual([url, region]);
  });

  it.each([{}, { storageUrl: 'https://minio.example.org/?x' }])(
    'client: %o is a TypeError and nothing is sent',
    async (options) => {
      const error = await errorOf(clientOf(service, options).codaFiles.upload(content, name));
      expect(error).toBeInstanceOf(TypeError);
      expect(service.received).toEqual([]);
    },
  );

  it('client: http to another machine must be allowed', () => {
    const storageUrl = 'http://minio.example.org';
    expect(() => clientOf(service, { storageUrl })).toThrow('storageUrl must be https');
    expect(() => clientOf(service, { storageUrl, allowHttp: true })).not.toThrow();
  });
});
