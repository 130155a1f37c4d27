import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { sign } from 'aws4';
import type { TestStorage } from './open-test-storage.js';

/** A response of the storage. */
export interface Answer {
  readonly status: number;
  /** The error code of S3, if it is an error. */
  readonly code: string | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface RawRequest {
  readonly method: string;
  /** Sent unchanged: no client normalises it. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** The service that it is signed for; S3 if absent. */
  readonly service?: 's3' | 'sts';
}

/** Sends a request unchanged. */
export function send({ url }: { readonly url: string }, request: RawRequest): Promise<Answer> {
  const { method, path, headers = {}, body = '' } = request;
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { hostname, port, method, path, headers, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
          resolve({ status: response.statusCode ?? 0, code, text, headers: response.headers });
        });
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Signs a request in its headers, with a signer that is not ours. */
export function signed(
  { url, clock }: TestStorage,
  credentials: Credentials,
  { method, path, headers = {}, body = '', service = 's3' }: RawRequest,
): RawRequest & { readonly headers: Record<string, string> } {
  const { host } = new URL(url);
  const date = clock.now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const length =
    'Transfer-Encoding' in headers ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const { headers: own } = sign(
    {
      service,
      region: 'eu-west-1',
      host,
      method,
      path,
      // The signer would add the length of a body.
      ...('Transfer-Encoding' in headers ? {} : { body }),
      headers: { 'X-Amz-Date': date, ...length, ...headers },
    } as Parameters<typeof sign>[0],
    credentials,
  );
  return { method, path, body, headers: own as Record<string, string> };
}

/** Signs a request in its headers, and sends it. */
export function sendSigned(
  storage: TestStorage,
  credentials: Credentials,
  request: RawRequest,
): Promise<Answer> {
  return send(storage, signed(storage, credentials, request));
}
