import type { Request } from 'express';

/**
 * Whether a post comes from the page itself, as far as the browser says where it comes from. What
 * says nothing is no browser, and nobody else's page drives it.
 *
 * No cookie and no further token is needed against other sites: nothing that a browser sends by
 * itself gives the right to answer. The right is the link, which another site does not know. This
 * check is for the case that one got hold of it.
 */
export function isFromOwnPage(request: Request, publicUrl: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  // Without TLS browsers leave `Sec-Fetch-Site` out.
  const origin = request.get('origin');
  if (origin === undefined) return true;
  return origin === new URL(publicUrl).origin || origin === `${request.protocol}://${request.host}`;
}
