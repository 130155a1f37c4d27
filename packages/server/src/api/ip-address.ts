import { isIP, isIPv4 } from 'node:net';
import type { Request } from 'express';

/**
 * Returns the address of a caller behind the proxies that `TRUST_PROXY` names, or that of the
 * socket if a proxy forwards something else; undefined if the connection is gone.
 */
export function ipAddressOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string | undefined {
  return parseIpAddress(ip) ?? parseIpAddress(socket.remoteAddress);
}

/**
 * Takes ports, brackets and zones off the addresses in `X-Forwarded-For`, before Express compares
 * them with `TRUST_PROXY`. Other entries stay, so that the number of proxies is right.
 *
 * @returns the entry that stands for the caller, if it is no address
 */
export function readForwardedFor(request: Request): string | undefined {
  const { headers } = request;
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string') return undefined;
  headers['x-forwarded-for'] = forwarded
    .split(',')
    // Express leaves out blank entries.
    .map((entry) => parseIpAddress(entry) ?? (entry.trim() || 'unknown'))
    .join(', ');
  const { ip = '' } = request;
  return isIP(ip) === 0 ? ip : undefined;
}

/**
 * Returns the only spelling of an address that may have a port, brackets, quotes or a zone. IPv4
 * has no prefix that maps it to IPv6.
 */
function parseIpAddress(text = ''): string | undefined {
  if (isIPv4(text)) return text;
  const address = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\[(.*)\](:\w*)?$/, '$1')
    .replace(/^([\d.]+):\w*$/, '$1')
    .replace(/%.*$/, '');
  const version = isIP(address);
  if (version !== 6) return version === 4 ? address : undefined;
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}
