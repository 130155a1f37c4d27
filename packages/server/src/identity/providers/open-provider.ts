import type { UserStore } from '../users.js';
import type { AccountStore } from './bound-accounts.js';
import { createBuiltInProvider } from './built-in-provider.js';
import { matchUsers } from './external-provider.js';
import type { IdentityProvider } from './identity-provider.js';
import type { ProviderSettings } from './provider-settings.js';

/** Opens the identity provider. Its library is loaded only if it is used. */
export async function openProvider(
  settings: ProviderSettings,
  users: UserStore,
  accounts: AccountStore,
): Promise<IdentityProvider> {
  if (settings.kind === 'built-in') return createBuiltInProvider(users);
  if (settings.kind === 'cognito') {
    const { createCognitoProvider } = await import('./cognito.js');
    return matchUsers(createCognitoProvider(settings), users, accounts);
  }
  const { createOpenIdProvider } = await import('./openid-connect.js');
  return matchUsers(createOpenIdProvider(settings), users, accounts);
}
