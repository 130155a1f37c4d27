import { EnvHttpProxyAgent, fetch as fetchOfUndici } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientOf } from './support/client-of.js';
import { answer, codaFile, content } from './support/stored-file.js';
import { TestProxy } from './support/test-proxy.js';
import { errorOf, TestService } from './support/test-service.js';
import { TestStorage } from './support/test-storage.js';

const service = TestService.forEachTest();
const storage = TestStorage.forEachTest();
let proxy: TestProxy;
beforeEach(async () => {
  proxy = await TestProxy.start();
  storage.answering = (response) => answer(response);
  service.on('GET /hello-world', () => ({ json: { message: 'Hello.' } }));
});
afterEach(() => proxy.stop());

/** Returns a client that uses undici with the proxy of the environment, as the README says. */
function clientBehindProxy(environment: object) {
  const dispatcher = new EnvHttpProxyAgent(environment);
  return clientOf(service, {
    maxRetries: 0,
    fetch: (url, init) => fetchOfUndici(url, { ...init, dispatcher }),
  });
}

describe('client: proxies', () => {
  it('client: calls and transfers go through HTTP_PROXY with the fetch of undici', async () => {
    const client = clientBehindProxy({ httpProxy: proxy.url });
    await client.auth.hello();
    const { bytes } = await client.codaFiles.download(codaFile(storage));
    expect((await bytes()).length).toBe(content.length);
    expect(new Set(proxy.tunnels)).toEqual(
      new Set([service.baseUrl, storage.url].map((url) => new URL(url).host)),
    );
  });

  it('client: NO_PROXY names the hosts that are called directly', async () => {
    await clientBehindProxy({ httpProxy: proxy.url, noProxy: '127.0.0.1' }).auth.hello();
    expect(proxy.tunnels).toEqual([]);
  });

  it('client: a proxy that refuses connections is told apart from the service', async () => {
    const { host } = new URL(proxy.url);
    const client = clientBehindProxy({ httpProxy: proxy.url });
    await proxy.stop();
    const error = await errorOf(client.auth.hello());
    expect(error).toMatchObject({ reason: 'refused' });
    expect((error as Error).message).toContain(`ECONNREFUSED ${host}`);
  });
});
