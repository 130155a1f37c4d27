/** Encodes a password the way `POST /token` wants it (§4.1): Base64 of its UTF-8 bytes. */
export function encodePassword(password: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(password)));
}
