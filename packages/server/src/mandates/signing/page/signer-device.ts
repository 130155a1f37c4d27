import { isIP } from 'node:net';
import type { Request } from 'express';

/** Longer ones say nothing more. */
const maximumUserAgent = 500;

/** Whence an answer came, as far as it can be told. */
interface SignerDevice {
  /** IP address. */
  readonly address: string | null;
  /** The beginning of what the browser says it is. */
  readonly userAgent: string | null;
}

/** The device of a request, behind the proxies that `TRUST_PROXY` names. */
export function signerDevice(request: Request): SignerDevice {
  return {
    address: addressOf(request),
    userAgent: userAgentOf(request),
  };
}

/** Without the controls that a header may hold: operators read it in a terminal. */
function userAgentOf(request: Request): string | null {
  const text = request.get('user-agent')?.replaceAll(/\p{Cc}/gu, '');
  return text?.slice(0, maximumUserAgent) ?? null;
}

/** A proxy may hand on whatever it was sent: what is no address counts as none. */
function addressOf({ ip, socket }: Request): string | null {
  const forwarded = plain(ip);
  if (isIP(forwarded) !== 0) return forwarded;
  return plain(socket.remoteAddress) || null;
}

/** An IPv4 address as a socket for IPv6 shows it. */
function plain(address: string | undefined): string {
  return address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
}
