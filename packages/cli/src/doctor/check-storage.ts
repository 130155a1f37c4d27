import { ApiError, type Client, type CodaFile, StorageError } from '@adx/client';
import { explain } from '../explain.js';
import type { Fetch } from '../settings/open-fetch.js';
import { type Check, ok, problem, skipped } from './check.js';

const advice =
  'Allow connections to this host in the firewall and the proxy: files do not pass through the service.';

/** Checks that this machine reaches the object storage, from which files come. */
export async function checkStorage(client: Client, fetch: Fetch): Promise<Check> {
  const name = 'storage';
  let host = '';
  try {
    const file = await anyFile(client);
    if (file !== undefined) {
      ({ host } = new URL(file.urls.coda));
      const { body } = await client.codaFiles.download(file);
      await body.cancel();
      return ok(name, `${host} answers`);
    }
    const { endpoint, bucketName, region } = await client.codaFiles.uploadCredentials();
    // Without an endpoint, the storage is AWS (D-32).
    const url = endpoint ?? `https://${bucketName}.s3.${region}.amazonaws.com`;
    ({ host } = new URL(url));
    // Any answer is one: without a signature it is a refusal.
    await fetch(url, {
      method: 'HEAD',
      headers: {},
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
    return ok(name, `${host} answers`);
  } catch (error) {
    if (error instanceof ApiError && !(error instanceof StorageError)) {
      return skipped(name, 'there is no file to download, and the key may not upload');
    }
    return problem(name, `${host}: ${explain(error)}`, advice);
  }
}

/** Returns a file that is not acknowledged. */
async function anyFile(client: Client): Promise<CodaFile | undefined> {
  const [customer] = await client.codaFiles.list();
  return customer?.ibans[0]?.files[0];
}
