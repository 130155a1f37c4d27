import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import type { AuthenticatedRequest } from './authenticate-request.js';
import { AwsChunkedReader } from './aws-chunked.js';
import { payloadChecksums } from './payload-checksums.js';
import { S3Refusal } from './s3-refusal.js';

/** What a body says of itself before its first byte. */
export interface PayloadTerms {
  /** Bytes of the object. */
  readonly length: number;
  /** SHA-256 of the object; absent where the body is not signed as a whole. */
  readonly sha256: string | undefined;
  /** Absent where the body is the object. */
  readonly chunks: AwsChunkedReader | undefined;
  /** Headers and trailers that carry checksums. */
  readonly checksumNames: readonly string[];
  readonly headers: IncomingHttpHeaders;
}

/** What the chunks of an encoded body may add, in bytes, for each of the object's and once. */
const encodingFactor = 2;
const encodingBytes = 64 * 1024;

/**
 * Reads what a request says of its body.
 *
 * @param limit - bytes that an object may have
 * @throws S3Refusal
 */
export function readPayloadTerms(
  headers: IncomingHttpHeaders,
  { payloadHash, chunkSigning }: Pick<AuthenticatedRequest, 'payloadHash' | 'chunkSigning'>,
  limit: number,
): PayloadTerms {
  const names = Object.keys(headers).filter(isChecksum);
  if (/^[0-9a-f]{64}$/.test(payloadHash) || payloadHash === 'UNSIGNED-PAYLOAD') {
    const length = readLength(headers['content-length'], limit);
    const sha256 = payloadHash === 'UNSIGNED-PAYLOAD' ? undefined : payloadHash;
    return { length, sha256, headers, chunks: undefined, checksumNames: names };
  }
  const [, signed, trailer] =
    /^STREAMING-(UNSIGNED-PAYLOAD|AWS4-HMAC-SHA256-PAYLOAD)(-TRAILER)?$/.exec(payloadHash) ?? [];
  const isSigned = signed === 'AWS4-HMAC-SHA256-PAYLOAD';
  if (signed === undefined || (!isSigned && trailer === undefined)) {
    throw new S3Refusal('InvalidArgument', 'x-amz-content-sha256 is none that is known here');
  }
  const length = readLength(headers['x-amz-decoded-content-length']?.toString(), limit);
  const announced = trailer === undefined ? '' : (headers['x-amz-trailer']?.toString() ?? '');
  const trailers = announced.toLowerCase().split(/\s*,\s*/);
  return {
    ...{ length, headers, sha256: undefined },
    chunks: new AwsChunkedReader(isSigned ? chunkSigning : undefined),
    checksumNames: [...names, ...trailers.filter(isChecksum)],
  };
}

/**
 * A stream that passes the object's bytes on as they come and fails at the end where the body is not
 * what was signed. Nothing that came out of it counts before it has ended.
 */
export function verifyPayload(terms: PayloadTerms): Transform {
  const { length, sha256, chunks, headers } = terms;
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  const checksums = payloadChecksums(terms.checksumNames);
  const mostSent = length * encodingFactor + encodingBytes;
  let sent = 0;
  let taken = 0;
  return new Transform({
    transform(bytes: Buffer, _encoding, callback: TransformCallback) {
      attempt(callback, () => {
        sent += bytes.length;
        if (sent > mostSent) throw wrongLength();
        for (const part of chunks?.read(bytes) ?? [bytes]) {
          taken += part.length;
          if (taken > length) throw wrongLength();
          hash?.update(part);
          checksums.update(part);
          this.push(part);
        }
      });
    },
    flush(callback) {
      attempt(callback, () => {
        chunks?.end();
        if (taken !== length) throw wrongLength();
        if (hash !== undefined && hash.digest('hex') !== sha256) {
          throw new S3Refusal(
            'XAmzContentSHA256Mismatch',
            'The body does not have the SHA-256 that x-amz-content-sha256 gives',
          );
        }
        checksums.verify((name) => chunks?.trailers.get(name) ?? headers[name]?.toString());
      });
    },
  });
}

function attempt(callback: TransformCallback, work: () => void): void {
  try {
    work();
  } catch (error) {
    callback(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  callback();
}

function isChecksum(name: string): boolean {
  return name === 'content-md5' || /^x-amz-checksum-(crc32|sha1|sha256)$/.test(name);
}

/** @throws S3Refusal unless it is given, and not over the limit */
function readLength(text: string | undefined, limit: number): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) {
    throw new S3Refusal('MissingContentLength', 'The length of the object has to be given');
  }
  const length = Number(text);
  if (length <= limit) return length;
  throw new S3Refusal('EntityTooLarge', `The object is larger than ${limit} bytes`);
}

function wrongLength(): S3Refusal {
  return new S3Refusal('IncompleteBody', 'The body does not have the length given');
}
