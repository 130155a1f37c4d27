import { isIP } from 'node:net';
import type { AppSettings } from './http/app.js';

/**
 * Parses a number of proxies (`1`) or a list of subnets (`10.0.0.0/8, loopback`). It is not
 * possible to trust all, because any caller could then claim any address.
 */
export function parseTrustedProxies(text: string): AppSettings['trustedProxies'] {
  if (/^\d+$/.test(text)) return isBetween(text, 1, 10) ? Number(text) : undefined;
  const subnets = text.split(',').map((subnet) => subnet.trim());
  return subnets.every(isSubnet) ? subnets : undefined;
}

function isSubnet(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  // A prefix of 0 would include all addresses.
  return prefix === undefined || isBetween(prefix, 1, version === 4 ? 32 : 128);
}

function isBetween(digits: string, min: number, max: number): boolean {
  return /^\d{1,3}$/.test(digits) && Number(digits) >= min && Number(digits) <= max;
}
