import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { boundedFetch, PROVIDER_TIMEOUT_SECONDS } from './bounded-fetch.js';

// Our own: for two unsigned requests, the AWS SDK would add 4.5 MB to an installation.

/** An answer of Cognito that is neither tokens nor a challenge. */
export class CognitoError extends Error {
  readonly status: number;
  readonly type: string;

  /** @param message - may quote a Lambda function of the pool, so it is not logged */
  constructor(status: number, type: string, message: string) {
    super(message);
    this.name = 'CognitoError';
    this.status = status;
    this.type = type;
  }
}

const accepted = z.union([
  z.object({ ChallengeName: z.string().min(1) }),
  z.object({
    AuthenticationResult: z.object({
      IdToken: z.string(),
      RefreshToken: z.string().min(1).optional(),
    }),
  }),
]);
const exception = z.object({ __type: z.string(), message: z.string().default('') });

/** Tokens, or the name of the next step that Cognito asks for. */
type CognitoAnswer = z.infer<typeof accepted>;

export interface CognitoClient {
  /** Address of Cognito, without a slash at the end. */
  readonly endpoint: string;
  readonly clientId: string;
  /** Undefined for an app client without a secret. */
  readonly clientSecret: string | undefined;
}

/** Creates operations of Cognito, which throw CognitoError and the errors of `fetch`. */
export function createCognitoApi({ endpoint, clientId, clientSecret }: CognitoClient) {
  async function call(operation: string, body: object): Promise<CognitoAnswer> {
    const response = await boundedFetch(endpoint, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-amz-json-1.1',
        'X-Amz-Target': `AWSCognitoIdentityProviderService.${operation}`,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PROVIDER_TIMEOUT_SECONDS * 1000),
    });
    const content: unknown = await response.json().catch(() => undefined);
    const answer = accepted.safeParse(content);
    if (response.status === 200 && answer.success) return answer.data;
    const { data } = exception.safeParse(content);
    // The name may have a namespace, as in `com.amazonaws…#NotAuthorizedException`.
    const type = data?.__type.replace(/^.*#/, '') ?? 'no exception';
    throw new CognitoError(response.status, type, data?.message ?? '');
  }

  function initiateAuth(flow: string, username: string, parameters: Record<string, string>) {
    const hash = clientSecret && createHmac('sha256', clientSecret).update(username + clientId);
    return call('InitiateAuth', {
      AuthFlow: flow,
      ClientId: clientId,
      AuthParameters: { ...parameters, ...(hash && { SECRET_HASH: hash.digest('base64') }) },
    });
  }

  return {
    /** @param username - of the pool, or an alias of it */
    signIn: (username: string, password: string) =>
      initiateAuth('USER_PASSWORD_AUTH', username, { USERNAME: username, PASSWORD: password }),

    /** @param username - the claim `cognito:username`, also if the user signed in with an alias */
    refresh: (username: string, refreshToken: string) =>
      initiateAuth('REFRESH_TOKEN_AUTH', username, { REFRESH_TOKEN: refreshToken }),

    /** Refreshes as app clients require it that rotate refresh tokens. */
    rotate: (refreshToken: string) =>
      call('GetTokensFromRefreshToken', {
        ClientId: clientId,
        ClientSecret: clientSecret,
        RefreshToken: refreshToken,
      }),
  };
}

/** The exceptions about the user; others are about app client, pool, Lambda or Cognito itself. */
const aboutTheUser = new Set([
  'NotAuthorizedException',
  'PasswordResetRequiredException',
  'RefreshTokenReuseException',
  'UserLambdaValidationException',
  'UserNotConfirmedException',
  'UserNotFoundException',
]);

/** Returns true if Cognito has decided about the user. Anything else is a failure. */
export function isAboutTheUser(error: unknown): error is CognitoError {
  if (!(error instanceof CognitoError) || !aboutTheUser.has(error.type)) return false;
  // 429 is about this service. A wrong client secret has the exception of a wrong password.
  const isAboutTheClient = error.type === 'NotAuthorizedException' && /secret/i.test(error.message);
  return error.status < 500 && error.status !== 429 && !isAboutTheClient;
}
