import { createHash, type Hash } from 'node:crypto';
import { hmac, scopeText, sha256 } from '../signature-v4.js';
import type { ChunkSigning } from './authenticate-request.js';
import { S3Refusal } from './s3-refusal.js';
import { isSame } from './storage-keys.js';

/** Longest line between chunks, in bytes: a size and a signature, or a trailer. */
const longestLine = 1024;
const mostTrailers = 8;
const emptyHash = sha256('');

/**
 * Reads a body in the `aws-chunked` encoding that AWS SDKs send streams in: chunks, each with its
 * size and, where the body is signed, its signature, then trailers.
 */
export class AwsChunkedReader {
  readonly trailers = new Map<string, string>();
  readonly #signing: ChunkSigning | undefined;
  /** The signature that the next one goes on from. */
  #previous: string;
  #state: 'size' | 'chunk' | 'chunkEnd' | 'trailers' | 'end' = 'size';
  #line = Buffer.alloc(0);
  #left = 0;
  #claimed = '';
  #hash: Hash = createHash('sha256');
  #trailerText = '';

  /** @param signing - absent for a body whose chunks are not signed */
  constructor(signing: ChunkSigning | undefined) {
    this.#signing = signing;
    this.#previous = signing?.seed ?? '';
  }

  /**
   * Takes what arrived; answers what is of the object. The last bytes of a chunk are answered before
   * its signature is verified: nothing counts until `end` has passed.
   *
   * @throws S3Refusal
   */
  *read(bytes: Buffer): Generator<Buffer> {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#state === 'chunk') {
        const part = rest.subarray(0, this.#left);
        rest = rest.subarray(part.length);
        this.#left -= part.length;
        if (this.#signing !== undefined) this.#hash.update(part);
        if (this.#left === 0) this.#state = 'chunkEnd';
        yield part;
      } else {
        rest = this.#readLine(rest);
      }
    }
  }

  /** @throws S3Refusal where the body ended before its end, or its trailers are not signed */
  end(): void {
    if (this.#state !== 'end') throw incomplete('ended too soon');
    if (this.#signing === undefined || this.#trailerText === '') return;
    const expected = this.#sign('AWS4-HMAC-SHA256-TRAILER', [sha256(this.#trailerText)]);
    const given = this.trailers.get('x-amz-trailer-signature') ?? '';
    if (!isSame(expected, given)) throw wrongSignature();
  }

  /** Answers what comes after the line, or nothing where the line goes on. */
  #readLine(bytes: Buffer): Buffer {
    if (this.#state === 'end') throw incomplete('goes on after its end');
    const feed = bytes.indexOf('\n');
    const line = Buffer.concat([this.#line, feed === -1 ? bytes : bytes.subarray(0, feed)]);
    if (line.length > longestLine) throw incomplete('has a line that is too long');
    if (feed === -1) {
      this.#line = line;
      return Buffer.alloc(0);
    }
    this.#line = Buffer.alloc(0);
    this.#takeLine(line.toString('latin1').replace(/\r$/, ''));
    return bytes.subarray(feed + 1);
  }

  #takeLine(line: string): void {
    if (this.#state === 'size') this.#beginChunk(line);
    else if (this.#state === 'chunkEnd') {
      if (line !== '') throw incomplete('has a chunk that is longer than it says');
      this.#verifyChunk();
      this.#state = 'size';
    } else if (line === '') this.#state = 'end';
    else this.#takeTrailer(line);
  }

  #beginChunk(line: string): void {
    const [, size = '', signature = ''] =
      /^([0-9a-f]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line) ?? [];
    if (size === '') throw incomplete('has a malformed chunk');
    this.#left = Number.parseInt(size, 16);
    this.#claimed = signature;
    if (this.#left > 0) {
      this.#state = 'chunk';
      return;
    }
    // The last chunk, whose signature is over nothing.
    this.#verifyChunk();
    this.#state = 'trailers';
  }

  #verifyChunk(): void {
    if (this.#signing === undefined) return;
    const hash = this.#hash.digest('hex');
    this.#hash = createHash('sha256');
    const expected = this.#sign('AWS4-HMAC-SHA256-PAYLOAD', [emptyHash, hash]);
    if (!isSame(expected, this.#claimed)) throw wrongSignature();
    this.#previous = expected;
  }

  #takeTrailer(line: string): void {
    const colon = line.indexOf(':');
    if (colon < 1 || this.trailers.size >= mostTrailers)
      throw incomplete('has a malformed trailer');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    this.trailers.set(name, value);
    if (name !== 'x-amz-trailer-signature') this.#trailerText += `${name}:${value}\n`;
  }

  #sign(algorithm: string, parts: readonly string[]): string {
    if (this.#signing === undefined) return '';
    const { signingKey, scope, timestamp } = this.#signing;
    const text = [algorithm, timestamp, scopeText(scope), this.#previous, ...parts].join('\n');
    return hmac(signingKey, text).toString('hex');
  }
}

function incomplete(what: string): S3Refusal {
  return new S3Refusal('IncompleteBody', `The body of the request ${what}`);
}

function wrongSignature(): S3Refusal {
  return new S3Refusal('SignatureDoesNotMatch', 'A part of the body is not signed with the key');
}
