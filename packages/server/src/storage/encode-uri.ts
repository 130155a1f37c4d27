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
