import type { ProviderSettings } from '../../identity/providers/provider-settings.js';
import { type Check, ok, problem } from './check.js';

/** Checks that the identity provider answers, and that it is the issuer of the settings (D-56). */
export async function checkProvider(settings: ProviderSettings): Promise<Check> {
  const name = 'identity provider';
  if (settings.kind === 'built-in') return ok(name, 'built-in');
  const { issuer } = settings;
  try {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000), redirect: 'error' });
    const metadata: unknown = await response.json();
    const named = Object(metadata).issuer;
    if (named === issuer) return ok(name, issuer);
    const advice = 'Set OIDC_ISSUER exactly to the issuer of the metadata of the provider.';
    return problem(name, `the metadata is that of ${named}`, advice);
  } catch (error) {
    const { cause, message } = Object(error);
    const found = `${issuer} gives no metadata: ${cause?.code ?? message}`;
    return problem(name, found, 'Check OIDC_ISSUER, and the network to the provider.');
  }
}
