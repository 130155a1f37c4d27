import { isIP } from 'node:net';
import type { Request } from 'express';

/** The maximum length of a recorded user agent, in characters. */
const maximumUserAgent = 500;

/** Returns the IP address and user agent of a request, behind the proxies that `TRUST_PROXY` names. */
export function signerDevice(request: Request): {
  readonly address: string | null;
  readonly userAgent: string | null;
} {
  // Control characters are removed, because operators read the user agent in a terminal.
  const userAgent = request.get('user-agent')?.replaceAll(/\p{Cc}/gu, '');
  return { address: addressOf(request), userAgent: userAgent?.slice(0, maximumUserAgent) || null };
}

/** Returns the forwarded address, or that of the socket if a proxy forwards an invalid one. */
function addressOf({ ip, socket }: Request): string | null {
  const forwarded = withoutPrefix(ip);
  if (isIP(forwarded) !== 0) return forwarded;
  return withoutPrefix(socket.remoteAddress) || null;
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function withoutPrefix(address: string | undefined): string {
  return address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
}
