import type { ServerResponse } from 'node:http';
import { encodeUri } from '../encode-uri.js';
import type { ObjectFolder } from './object-folder.js';
import { S3Refusal } from './s3-refusal.js';

/** Most objects that a page has, as in S3. */
const longestPage = 1000;

/**
 * Answers `ListObjectsV2`, in place of s3rver: its tokens for the next page need a cipher that
 * OpenSSL 3 no longer has, and it escapes keys twice.
 *
 * @throws S3Refusal
 */
export async function answerList(
  folder: ObjectFolder,
  bucket: string,
  query: ReadonlyMap<string, string>,
  response: ServerResponse,
): Promise<void> {
  const prefix = query.get('prefix') ?? '';
  const maxKeys = readMaxKeys(query.get('max-keys'));
  const token = query.get('continuation-token');
  // A token is the last key of the page before.
  const startAfter =
    token === undefined
      ? (query.get('start-after') ?? '')
      : Buffer.from(token, 'base64url').toString();
  const { objects, isTruncated } = await folder.listObjects(bucket, {
    ...{ prefix, startAfter, maxKeys },
  });
  const isEncoded = query.get('encoding-type') === 'url';
  const write = (text: string) => (isEncoded ? encodeUri(text) : escapeXml(text));
  const last = objects.at(-1)?.key;
  const contents = objects.map(
    ({ key, size, lastModifiedDate, metadata: { etag } }) =>
      `<Contents><Key>${write(key)}</Key><LastModified>${lastModifiedDate.toISOString()}</LastModified>` +
      `<ETag>${escapeXml(String(etag))}</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  );
  response.setHeader('Content-Type', 'application/xml');
  response.end(
    [
      '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
      `<Name>${bucket}</Name><Prefix>${write(prefix)}</Prefix>`,
      `<KeyCount>${objects.length}</KeyCount><MaxKeys>${maxKeys}</MaxKeys>`,
      ...(isEncoded ? ['<EncodingType>url</EncodingType>'] : []),
      `<IsTruncated>${isTruncated}</IsTruncated>`,
      ...(isTruncated && last !== undefined
        ? [`<NextContinuationToken>${tokenOf(last)}</NextContinuationToken>`]
        : []),
      ...contents,
      '</ListBucketResult>',
    ].join(''),
  );
}

function readMaxKeys(text: string | undefined): number {
  if (text === undefined) return longestPage;
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text), longestPage);
  throw new S3Refusal('InvalidArgument', 'max-keys is not a whole number');
}

function tokenOf(key: string): string {
  return Buffer.from(key).toString('base64url');
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
