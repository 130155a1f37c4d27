import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { Logger } from 'pino';
import { inStep } from '../tracing/spans.js';
import type { SigningCredentials } from './presign.js';
import type { StorageSettings } from './storage-settings.js';

/** Retries and timeouts of the clients of the SDK, in ms. */
export const clientOptions = {
  maxAttempts: 4,
  requestHandler: {
    connectionTimeout: 3_000,
    /** Until the response starts. */
    requestTimeout: 30_000,
    throwOnRequestTimeout: true,
    /** The idle timeout. */
    socketTimeout: 30_000,
    httpAgent: { maxSockets: 50 },
    httpsAgent: { maxSockets: 50 },
  },
} satisfies S3ClientConfig;

/** How long the storage may take for one step of a call, with all attempts, in ms. */
const CALL_STEP_MS = 5_000;

/**
 * Returns the options of a request that a call waits for. A storage that hangs would otherwise hold
 * the call, and the turn of its firm (D-39), through four attempts of 3 to 30 seconds.
 */
export function forCall(): { readonly abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(CALL_STEP_MS) };
}

export function createS3Client({
  endpoint,
  region,
  pathStyle,
  credentials,
}: Pick<StorageSettings, 'endpoint' | 'region' | 'pathStyle' | 'credentials'>): S3Client {
  // Otherwise each command would print that future versions of the SDK need a later Node.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const client = new S3Client({
    ...clientOptions,
    region,
    forcePathStyle: pathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
    // Servers that do not know the newer checksums of S3 refuse requests with them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  client.middlewareStack.add(traceCommand, { step: 'initialize' });
  client.middlewareStack.add(nameRequest, { step: 'build' });
  return client;
}

/** Gives each request a span, without bucket and key, because partners choose names of objects. */
export const traceCommand =
  <Input, Output>(
    next: (input: Input) => Promise<Output>,
    { clientName = 'storage', commandName = 'request' },
  ) =>
  (input: Input): Promise<Output> =>
    inStep(`${clientName} ${commandName}`, {}, () => next(input));

/**
 * Adds to the message of an error what was asked of which host, because that of a timeout is only
 * `Request aborted`, but not the key, whose name partners choose. The error stays the same, because
 * its class and name say what it means.
 */
export const nameRequest =
  <Input extends { readonly input: object; readonly request: unknown }, Output>(
    next: (input: Input) => Promise<Output>,
    { clientName = '', commandName = 'request' },
  ) =>
  async (asked: Input): Promise<Output> => {
    try {
      return await next(asked);
    } catch (error) {
      const { hostname, port } = Object(asked.request);
      const { Bucket: bucket } = Object(asked.input);
      // If a host has several addresses, the error has no message, but one error for each address.
      const [cause] = error instanceof AggregateError ? error.errors : [error];
      const service = clientName === 'STSClient' ? 'STS' : 'the storage';
      const host = port === undefined ? hostname : `${hostname}:${port}`;
      const place = bucket === undefined ? host : `${host}, bucket ${bucket}`;
      if (error instanceof Error) {
        error.message = `${commandName.replace(/Command$/, '')} of ${service} at ${place}: ${Object(cause).message}`;
      }
      throw error;
    }
  };

const refreshMs = 60_000;
/** The ms before their end at which credentials are renewed: URLs must not outlive them. */
const renewalMs = 35 * 60_000;

/**
 * Renews the credentials of a role in the background. A URL is valid no longer than those that
 * signed it, so it expires early if the role renews them only minutes before their end.
 *
 * @throws Error if the client finds no credentials
 */
export async function cacheCredentials(
  client: S3Client,
  logger: Logger,
): Promise<{ current(): SigningCredentials; close(): void }> {
  let cached = await client.config.credentials();
  const refresh = async () => {
    // The wall clock, because it also dates the URLs: wrong by any amount, it is wrong for both.
    const left = (cached.expiration?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now();
    cached = await client.config.credentials({ forceRefresh: left < renewalMs });
  };
  const timer = setInterval(() => {
    refresh().catch((error) =>
      logger.warn({ err: error }, 'the credentials of the storage were not renewed'),
    );
  }, refreshMs);
  timer.unref();
  return { current: () => cached, close: () => clearInterval(timer) };
}
