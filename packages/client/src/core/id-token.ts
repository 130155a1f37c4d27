/** What §5 rule 1 grants where the ID token does not say it. */
const anHour = 3_600_000;

/**
 * For how many milliseconds an ID token is valid from the moment it arrives. Taken from its own
 * two times, so that this machine's clock may be wrong.
 */
export function lifetimeOf(idToken: string): number {
  try {
    const payload = idToken.split('.')[1] ?? '';
    const { exp, iat } = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')));
    return (exp - iat) * 1000 || anHour;
  } catch {
    return anHour;
  }
}
