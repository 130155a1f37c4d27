import { isIP } from 'node:net';
import type { Request } from 'express';

/**
 * Returns the IP address of a caller behind the proxies that `TRUST_PROXY` names, or that of the socket if a
 * proxy forwards something else; undefined if the connection is gone.
 */
export function ipAddressOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string | undefined {
  const forwarded = withoutPrefix(ip);
  if (isIP(forwarded) !== 0) return forwarded;
  return withoutPrefix(socket.remoteAddress) || undefined;
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function withoutPrefix(address: string | undefined): string {
  return address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
}
