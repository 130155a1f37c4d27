/** An ID token is valid for 1 hour (§5 rule 1), in seconds. */
export const ID_TOKEN_SECONDS = 60 * 60;

/** A refresh token is valid for 30 days (§5 rule 2), in seconds. */
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 60 * 60;
