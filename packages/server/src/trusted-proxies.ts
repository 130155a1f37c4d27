import { isIP } from 'node:net';

/** The proxies before the service, as Express knows them: how many, or their subnets. */
export type TrustedProxies = number | readonly string[];

const named = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Reads how many proxies every call passes (`1`), or which subnets they are in
 * (`10.0.0.0/8, loopback`). There is no "all of them": whoever calls could then say any address.
 *
 * @returns undefined when the text is neither
 */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    return hops >= 1 && hops <= 10 ? hops : undefined;
  }
  const subnets = text.split(',').map((subnet) => subnet.trim());
  return subnets.every(isSubnet) ? subnets : undefined;
}

function isSubnet(text: string): boolean {
  if (named.includes(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  // A prefix of 0 would be every address there is.
  return prefix === undefined || isBetween(prefix, 1, version === 4 ? 32 : 128);
}

function isBetween(digits: string, least: number, most: number): boolean {
  return /^\d{1,3}$/.test(digits) && Number(digits) >= least && Number(digits) <= most;
}
