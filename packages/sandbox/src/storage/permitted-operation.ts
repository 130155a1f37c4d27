import type { Exchange } from './authenticate.js';
import { S3Error } from './s3-error.js';

/** The operations of S3 that the service and its partners need. */
const operations = [
  ['GET bucket', 'listObjects'],
  ['HEAD bucket', 'headBucket'],
  ['PUT bucket', 'createBucket'],
  ['GET object', 'getObject'],
  ['HEAD object', 'headObject'],
  ['PUT object', 'putObject'],
  ['DELETE object', 'deleteObject'],
  ['POST object?uploads', 'beginUpload'],
  ['PUT object?partNumber&uploadId', 'putPart'],
  ['POST object?uploadId', 'completeUpload'],
  ['DELETE object?uploadId', 'abortUpload'],
] as const;

type Operation = (typeof operations)[number][1] | 'copyObject';
/** The parameters that are part of the name of an operation, in this order. */
const operationParameters = ['uploads', 'partNumber', 'uploadId'];
/** The operations that `s3:PutObject` of temporary credentials permits, as in S3. */
const puts: readonly Operation[] = ['putObject', 'beginUpload', 'putPart', 'completeUpload'];

/** Parameters of a signature, and those that repeat what the signature already covers. */
const signatureParameters =
  /^(x-amz-(algorithm|credential|date|expires|signedheaders|signature|security-token|content-sha256|user-agent|checksum-.+|sdk-checksum-algorithm)|x-id)$/i;
/** Parameters of a list or of a part, and those that set headers of a download. */
const supportedParameters =
  /^(uploads|partNumber|uploadId|list-type|prefix|max-keys|continuation-token|start-after|encoding-type|fetch-owner|response-(content-(type|language|disposition|encoding)|expires|cache-control))$/;
/** Headers that do not change the operation. All other `x-amz-` headers do. */
const neutralHeaders =
  /^x-amz-(date|content-sha256|security-token|user-agent|decoded-content-length|trailer|checksum-.+|sdk-checksum-algorithm|mp-object-size|meta-.+)$/;
/** Headers that name the source of a copy. */
const copyHeaders = /^x-amz-copy-source(-if-match)?$/;

/** @throws S3Error if the caller may not perform the operation, or this storage does not know it */
export function permittedOperation({ request, target, authenticated }: Exchange): Operation {
  const { method = '', headers } = request;
  const { bucket, key, query } = target;
  const parameters = operationParameters.filter((name) => query.has(name)).join('&');
  const named = `${method} ${key === '' ? 'bucket' : 'object'}${parameters && `?${parameters}`}`;
  const isCopy = named === 'PUT object' && headers['x-amz-copy-source'] !== undefined;
  const operation = isCopy ? 'copyObject' : operations.find(([name]) => name === named)?.[1];
  const refusedHeader =
    operation &&
    Object.keys(headers).find((name) => !isSupportedHeader(name, headers[name], operation));
  const isSupported =
    bucket !== '' &&
    operation !== undefined &&
    (operation !== 'listObjects' || query.get('list-type') === '2') &&
    [...query].every(
      ([name, value]) =>
        signatureParameters.test(name) ||
        supportedParameters.test(name) ||
        // Programs that copy whole buckets send it empty, which means the same as without it.
        (name === 'delimiter' && value === ''),
    ) &&
    refusedHeader === undefined;
  const scope = authenticated.caller.session?.scope;
  if (scope !== undefined) {
    const isInScope = bucket === scope.bucket && key.startsWith(scope.prefix);
    const isPut = operation !== undefined && puts.includes(operation);
    if (!isSupported || !isPut || !isInScope) {
      const cause =
        isInScope && isPut && refusedHeader !== undefined
          ? `Temporary keys do not allow ${refusedHeader}: ${headers[refusedHeader]}`
          : 'Temporary keys only allow puts under their prefix';
      throw new S3Error(403, 'AccessDenied', cause);
    }
  }
  if (isSupported) return operation;
  throw new S3Error(501, 'NotImplemented', 'This storage does not support the request');
}

function isSupportedHeader(name: string, value: unknown, operation: Operation): boolean {
  if (name.startsWith('x-amz-')) {
    const isDefault = defaults[name] === value && ['putObject', 'beginUpload'].includes(operation);
    const isOfCopy = operation === 'copyObject' && copyHeaders.test(name);
    return neutralHeaders.test(name) || isDefault || isOfCopy;
  }
  if (!name.startsWith('if-')) return true;
  // A condition may be ignored only if nothing is changed.
  const isRead = ['getObject', 'headObject', 'listObjects'].includes(operation);
  const isNewKey = name === 'if-none-match' && value === '*';
  return (
    isRead ||
    (operation === 'deleteObject' && name === 'if-match') ||
    (isNewKey && ['putObject', 'completeUpload'].includes(operation))
  );
}

/** The only storage class and the only access, both the default, which some programs send. */
const defaults: Readonly<Record<string, string>> = {
  'x-amz-storage-class': 'STANDARD',
  'x-amz-acl': 'private',
};
