import { createHmac } from 'node:crypto';

/** The day, region and service that a signing key is for. */
interface CredentialScope {
  /** `YYYYMMDD`. */
  readonly date: string;
  readonly region: string;
}

/** The key that signs for one day, region and S3. */
export function signingKeyOf(secretAccessKey: string, { date, region }: CredentialScope): Buffer {
  return [region, 's3', 'aws4_request'].reduce(
    (key, part) => hmac(key, part),
    hmac(`AWS4${secretAccessKey}`, date),
  );
}

/** A scope as it is signed. */
export function scopeText({ date, region }: CredentialScope): string {
  return `${date}/${region}/s3/aws4_request`;
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Escapes all but the unreserved characters of RFC 3986, as signatures of S3 have them. */
export function encodeUri(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A key as it stands in a URL: escaped but for its slashes. */
export function encodeKey(key: string): string {
  return encodeUri(key).replaceAll('%2F', '/');
}
