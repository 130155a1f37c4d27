import { beforeEach, describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../src/index.js';
import { clientOf } from '../support/client-of.js';
import { errorOf, TestService } from '../support/test-service.js';
import { content, credentials, issue, name } from '../support/upload-credentials.js';

const service = TestService.forEachTest();
beforeEach(() => service.on(issue, (_, nth) => ({ json: credentials(nth) })));

describe('client: the address of the storage', () => {
  /** Returns the URL to which such a client puts a file, and the region of its signature. */
  async function target(options: Partial<ClientOptions>, place: object = {}) {
    service.on(issue, (_, nth) => ({ json: { ...credentials(nth), ...place } }));
    const puts: Request[] = [];
    const client = clientOf(service, {
      ...options,
      fetch(url, init) {
        if (init.method !== 'PUT') return fetch(url, init);
        puts.push(new Request(url, init));
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

  it.each([
    [{ region: 'eu-west-3' }, 'https://adx-coda-uploads.s3.eu-west-3.amazonaws.com/…', 'eu-west-3'],
    [
      { endpoint: 'https://minio.example.org', region: 'gent' },
      'https://minio.example.org/adx-coda-uploads/…',
      'gent',
    ],
    [
      { endpoint: 'https://{bucket}.ceph.example.org', region: 'us-east-1' },
      'https://adx-coda-uploads.ceph.example.org/…',
      'us-east-1',
    ],
  ])('D-32 credentials with %o need no options', async (place, url, region) => {
    expect(await target({}, place)).toEqual([url, region]);
  });

  it('D-32 options take precedence over the credentials', async () => {
    const options = { storageUrl: 'https://mirror.example.org', storageRegion: 'gent' };
    const place = { endpoint: 'https://minio.example.org', region: 'eu-west-3' };
    expect(await target(options, place)).toEqual([
      'https://mirror.example.org/adx-coda-uploads/…',
      'gent',
    ]);
  });

  it.each([
    [{}, {}],
    [{ storageUrl: 'https://minio.example.org/?x' }, {}],
    [{}, { endpoint: 'https://minio.example.org/?x' }],
    // The content and the session token would cross the network unencrypted.
    [{}, { endpoint: 'http://minio.example.org', region: 'gent' }],
  ])(
    'client: options %o with credentials %o are a TypeError and nothing is put',
    async (options, place) => {
      service.on(issue, (_, nth) => ({ json: { ...credentials(nth), ...place } }));
      const puts: string[] = [];
      const client = clientOf(service, {
        ...options,
        fetch(url, init) {
          if (init.method === 'PUT') puts.push(url);
          return fetch(url, init);
        },
      });
      expect(await errorOf(client.codaFiles.upload(content, name))).toBeInstanceOf(TypeError);
      expect(puts).toEqual([]);
    },
  );

  it('D-32 http in the credentials can be allowed', async () => {
    const place = { endpoint: 'http://minio.example.org', region: 'gent' };
    const [url] = await target({ allowHttp: true }, place);
    expect(url).toBe('http://minio.example.org/adx-coda-uploads/…');
  });

  it('client: http to another machine must be allowed', () => {
    const storageUrl = 'http://minio.example.org';
    expect(() => clientOf(service, { storageUrl })).toThrow('storageUrl must be https');
    expect(() => clientOf(service, { storageUrl, allowHttp: true })).not.toThrow();
  });
});
