import { type Client, type CodaFile, ForbiddenError } from '@adx/client';
import { type Check, ok, problem, skipped } from '@adx/command/check';
import { explain } from '../explain.js';
import type { Fetch } from '../settings/open-fetch.js';

const advice =
  'Allow connections to this host in the firewall and the proxy: files do not pass through the service.';

/**
 * Checks that this machine reaches the object storage, from which files come.
 *
 * @throws AdxError if the service does not say where it is
 */
export async function checkStorage(client: Client, fetch: Fetch): Promise<Check> {
  const name = 'storage';
  const file = await ifAllowed(anyFile(client));
  const url = file?.urls.coda ?? (await ifAllowed(uploadAddress(client)));
  if (url === undefined) {
    return skipped(name, 'there is no file to download, and the key may not upload');
  }
  const { host } = new URL(url);
  try {
    if (file === undefined) {
      // Any answer is one: without a signature it is a refusal.
      const signal = AbortSignal.timeout(30_000);
      await fetch(url, { method: 'HEAD', headers: {}, redirect: 'manual', signal });
    } else {
      const { body } = await client.codaFiles.download(file);
      await body.cancel();
    }
    return ok(name, `${host} answers`);
  } catch (error) {
    return problem(name, `${host}: ${explain(error)}`, advice);
  }
}

/** Returns a file that is not acknowledged. */
async function anyFile(client: Client): Promise<CodaFile | undefined> {
  const [customer] = await client.codaFiles.list();
  return customer?.ibans[0]?.files[0];
}

async function uploadAddress(client: Client): Promise<string> {
  const { endpoint, bucketName, region } = await client.codaFiles.uploadCredentials();
  // Without an endpoint, the storage is AWS (D-32).
  return endpoint ?? `https://${bucketName}.s3.${region}.amazonaws.com`;
}

/** Returns undefined if the API key may not make the call. */
async function ifAllowed<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  }
}
