import type { S3Client } from '@aws-sdk/client-s3';
import type { Logger } from 'pino';
import type { SigningCredentials } from './presign.js';

/** How often the keys are looked at, in ms. */
const refreshMs = 60_000;
/** Keys that expire before a URL signed with them are asked for anew, where newer ones are to be had. */
const longEnoughMs = 35 * 60_000;

/** The keys of a client, at hand without waiting. */
export interface HeldCredentials {
  current(): SigningCredentials;
  close(): void;
}

/**
 * Holds the keys that a client signs with, those of a role being exchanged for newer ones in time. A
 * URL does not outlive the keys that signed it: a machine whose role gives new keys only minutes
 * before the old ones expire makes URLs that are shorter-lived for these minutes.
 *
 * @throws Error where the client finds no keys
 */
export async function holdCredentials(client: S3Client, logger: Logger): Promise<HeldCredentials> {
  let held = await client.config.credentials();
  const refresh = async () => {
    const left = (held.expiration?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now();
    held = await client.config.credentials({ forceRefresh: left < longEnoughMs });
  };
  const timer = setInterval(() => {
    refresh().catch((error) => logger.warn({ err: error }, 'the storage keys were not renewed'));
  }, refreshMs);
  timer.unref();
  return { current: () => held, close: () => clearInterval(timer) };
}
