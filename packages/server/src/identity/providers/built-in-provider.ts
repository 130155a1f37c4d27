import { verifyPassword } from '../passwords.js';
import type { UserStore } from '../users.js';
import {
  authenticationFailed,
  becauseDisabled,
  type IdentityProvider,
} from './identity-provider.js';

/** Creates the built-in identity provider, whose passwords are those of `users`. */
export function createBuiltInProvider(users: UserStore): IdentityProvider {
  return {
    name: 'built-in',
    async signIn(username, password) {
      const user = await users.findCredentials(username);
      // Verified before the user is checked, so that every failure takes the same time (D-20).
      const isCorrect = await verifyPassword(user?.passwordHash, password);
      if (user === undefined) return authenticationFailed('unknown user');
      if (!isCorrect) return authenticationFailed('wrong password');
      const { disabled } = user;
      if (disabled !== null) return becauseDisabled(authenticationFailed, { ...user, disabled });
      return { accepted: true, user };
    },
  };
}
