import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { sign } from 'aws4';
import type { TestStorage } from './open-test-storage.js';

/** An answer of the storage. */
export interface Answer {
  readonly status: number;
  /** Of an error of S3. */
  readonly code: string | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface RawRequest {
  readonly method: string;
  /** Sent as it stands: no client straightens it. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** Sends a request as it stands. */
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

/** A request signed in its headers, by a signer that is not ours. */
export function signed(
  { url, clock }: TestStorage,
  credentials: Credentials,
  { method, path, headers = {}, body = '' }: RawRequest,
): RawRequest & { readonly headers: Record<string, string> } {
  const { host } = new URL(url);
  const date = clock.now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const length =
    'Transfer-Encoding' in headers ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const { headers: own } = sign(
    {
      ...{ service: 's3', region: 'eu-west-1', host, method, path },
      // Of a body the signer would give the length.
      ...('Transfer-Encoding' in headers ? {} : { body }),
      headers: { 'X-Amz-Date': date, ...length, ...headers },
    } as Parameters<typeof sign>[0],
    credentials,
  );
  return { method, path, body, headers: own as Record<string, string> };
}

/** Sends a request that is signed in its headers. */
export function sendSigned(
  storage: TestStorage,
  credentials: Credentials,
  request: RawRequest,
): Promise<Answer> {
  return send(storage, signed(storage, credentials, request));
}
