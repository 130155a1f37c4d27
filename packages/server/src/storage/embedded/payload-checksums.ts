import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { S3Refusal } from './s3-refusal.js';

/** A checksum that a request gives for its body, and what is needed to verify it. */
interface Checksum {
  readonly name: string;
  update(bytes: Buffer): void;
  /** In the form in which it is given. */
  digest(): string;
}

/** The checksums that are verified, by the header or trailer that carries them. */
const algorithms: ReadonlyMap<string, (name: string) => Checksum> = new Map([
  ['content-md5', (name) => hashed(name, 'md5')],
  ['x-amz-checksum-sha1', (name) => hashed(name, 'sha1')],
  ['x-amz-checksum-sha256', (name) => hashed(name, 'sha256')],
  ['x-amz-checksum-crc32', cyclic],
]);

/** The checksums of a body under way. */
export interface PayloadChecksums {
  update(bytes: Buffer): void;
  /** @throws S3Refusal where the body is not the one that was summed up */
  verify(given: (name: string) => string | undefined): void;
}

/**
 * Those of the named checksums that can be verified. The others of S3 (CRC-32C, CRC-64/NVME) pass:
 * they guard against accidents on the way, against which the signed hash and TCP guard too.
 */
export function payloadChecksums(names: readonly string[]): PayloadChecksums {
  const checksums = names.flatMap((name) => algorithms.get(name)?.(name) ?? []);
  return {
    update(bytes) {
      for (const checksum of checksums) checksum.update(bytes);
    },
    verify(given) {
      for (const checksum of checksums) {
        if (given(checksum.name) !== checksum.digest()) {
          throw new S3Refusal('BadDigest', `The body does not have the ${checksum.name} given`);
        }
      }
    },
  };
}

function hashed(name: string, algorithm: string): Checksum {
  const hash = createHash(algorithm);
  return { name, update: (bytes) => void hash.update(bytes), digest: () => hash.digest('base64') };
}

function cyclic(name: string): Checksum {
  let value = 0;
  return {
    name,
    update(bytes) {
      value = crc32(bytes, value);
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes.toString('base64');
    },
  };
}
