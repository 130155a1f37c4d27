import type { ErrorCode } from '@adx/contract';

/** Advice on an error, in addition to its description in the spec. */
export interface ErrorAdvice {
  /** When a call gets it. */
  readonly when: string;
  /** What the caller should do. */
  readonly action: string;
}

/** The advice on each error code, in Markdown (D-52). */
export const errorGuide: Readonly<Record<ErrorCode, ErrorAdvice>> = {
  unknownField: {
    when: 'The body has a field, or the query string a parameter, that the operation does not know. `fields` names each of them, nested ones with dots. Often the name is misspelt, belongs to another operation, or is one of a response that requests do not take.',
    action:
      'Correct the names in `fields`, and check which operation the path belongs to: `POST /customers` is *Search customers*, and *Create customer* is `POST /customers/create`. Repeating the call unchanged gets the same answer. After an upgrade of your software, check that it calls a service that already has the new field.',
  },
  validationFailed: {
    when: 'A value has the wrong type or form, a required field is missing, or the `Idempotency-Key` is malformed. `details` has the path and the reason of each finding. An operation that takes a body needs one, at least `{}`.',
    action:
      'Correct what `details` names. An enterprise number is written as `0812.345.603`, with the dots and without `BE`; an instant as `2026-03-02T08:00:00Z`.',
  },
  invalidJson: {
    when: 'The body is not JSON: it was cut off, has a comma too many, or is text in another form.',
    action: 'Write the body with a JSON library instead of putting text together.',
  },
  missingCredentials: {
    when: 'The body of the sign-in has neither `username` with `password`, nor `refreshToken`.',
    action:
      'Send one of the two forms. Check that the setting from which your program reads the password is not empty.',
  },
  invalidEnterpriseNumber: {
    when: 'The last two digits of the enterprise number do not match the others.',
    action:
      'Ask the user to correct the number. The check digits are 97 minus the remainder of the first eight digits divided by 97, so you can check them before you call.',
  },
  invalidIban: {
    when: 'The check digits or the length of the IBAN are wrong for its country.',
    action: 'Ask the user to correct the IBAN.',
  },
  unknownPayrollProvider: {
    when: 'There is no payroll provider with this code.',
    action:
      'Choose a code from *List payroll providers*, or `***other***` for one that is not in it.',
  },
  unauthorized: {
    when: 'The header `Authorization` is missing or is not `Bearer` and an ID token; or the token was issued to another partner; or the user was disabled or has a new password.',
    action:
      'Sign in again with username and password. If that fails too, the user has to ask the accounting firm. Do not repeat the call in a loop.',
  },
  tokenExpired: {
    when: 'The ID token is older than an hour.',
    action:
      'Send the refresh token to *Get or refresh token*, and repeat the call with the new ID token.',
  },
  portalOnly: {
    when: 'The user has the access level *Portal only*, which does not include this interface.',
    action: 'Use another user of the firm, or ask its administrator for another access level.',
  },
  invalidApiKey: {
    when: 'The header `x-api-key` is missing, or its key is wrong: unknown, revoked, or an old secret that has expired. Keys of staging do not work in production, and the other way round.',
    action:
      'Compare the key and the base URL with what the operator of the service gave you. After [a rotation](/guide/going-live.md#rotating-the-api-key), use the new secret. Ask the operator for a new key if it was revoked.',
  },
  insufficientScope: {
    when: 'The API key lacks the scope of the operation. The reference names the scope at each operation.',
    action:
      'Ask the operator of the service to add the scope to your API key: these are [all scopes](/operators/commands.md#scopes-of-an-api-key).',
  },
  belongsToAnotherTenant: {
    when: 'Another accounting firm has registered a customer with this enterprise number. The answer does not say which.',
    action:
      'Ask the customer whether it agrees to move to your firm, then contact support, who can transfer it. 300 of these answers in an hour stop the firm from creating customers for the rest of the hour.',
  },
  upload_not_allowed: {
    when: 'The operator has not enabled uploads of payroll files (CODB) for the accounting firm. Bank statements (CODA) can always be uploaded.',
    action: 'Ask the operator of the service to enable them.',
  },
  notFound: {
    when: 'There is no such customer, mandate, file or upload: its id is unknown, or the user may not see it. Or the path is wrong: paths distinguish upper and lower case, and do not end in a slash.',
    action:
      'Check the path and the id, then whether the user may see the customer. Remove the id from your own data only if you know that it is not a matter of access.',
  },
  methodNotAllowed: {
    when: 'The path exists, but not with this method. The header `Allow` names its methods.',
    action: 'Use a method of `Allow`. Searches are `POST`.',
  },
  customerExists: {
    when: 'Your firm has a customer with this enterprise number already, perhaps one that this user may not see.',
    action:
      'Continue with the `customerId` of the answer: update this customer, or add a bank account to it. Without `customerId`, this user may not see the customer: ask an administrator of the firm.',
  },
  ibanInUse: {
    when: 'The IBAN is an active bank account of another customer, of your firm or of another one.',
    action:
      'Check the IBAN. If it moved from another customer of your firm, disable it there first; otherwise contact support.',
  },
  tooManyUnsignedLinks: {
    when: 'Within the last 90 days, the firm added 2000 bank accounts and payroll providers (or as many as the operator set) for which nobody has signed, or as many customers without a signed one. Those that the bank or provider refused, or that were removed before it confirmed them or delivered for them, count too.',
    action:
      'Ask the contacts to sign, then repeat the call; what was removed or refused stops counting after the 90 days. Ask the operator of the service for a higher number if the firm moves many customers at once.',
  },
  mandateNotRequestable: {
    when: 'The mandate has a status in which it cannot be requested again.',
    action:
      'Read the mandate. It can be requested in the statuses `expired`, `rejectedBySigner`, `renewalRequired` and `error`, and if it is `finished` with the `renewal` `declined` or `undeliverable`. One that the bank or the payroll provider refused stays as it is: [remove the account or provider, and add it again](/guide/mandates.md#request-a-mandate-again), for a new mandate.',
  },
  idempotencyKeyInUse: {
    when: 'An earlier call with the same `Idempotency-Key` is not finished.',
    action:
      'Wait for the seconds in `Retry-After`, and repeat the call with the same key and body.',
  },
  payloadTooLarge: {
    when: 'The body is larger than 64 KiB.',
    action:
      'Send less in one call. Files are not sent to the interface: they are uploaded to the storage with upload credentials.',
  },
  unsupportedMediaType: {
    when: 'The header `Content-Type` is missing or is not `application/json`, or the body is not UTF-8, or compressed otherwise than with `gzip` or `deflate`.',
    action: 'Send `Content-Type: application/json`, and the body in UTF-8.',
  },
  idempotencyKeyReused: {
    when: 'The `Idempotency-Key` was sent within 24 hours with another body, or for another operation or mandate.',
    action: 'Create a new key for each call, and keep it only to repeat exactly this call.',
  },
  tooManyRequests: {
    when: 'A limit is reached. The header `RateLimit` says which one, and `Retry-After` for how long.',
    action:
      'Wait for the seconds in `Retry-After`, then continue. If it happens often, make fewer calls at the same time, and poll less often.',
  },
  internalError: {
    when: 'The service failed. The outcome of the call is unknown. `POST /token` also answers 500 if the sign-in was refused: then `error` has the reason instead of this code: [`Authentication failed`](/errors/authenticationFailed.md) or [`Invalid refresh token`](/errors/invalidRefreshToken.md), or other words if the operator uses another identity provider.',
    action:
      'Repeat the call for a minute, with pauses that grow. If it stays, send support the `requestId`.',
  },
  unavailable: {
    when: 'The service cannot answer at the moment, for example because its database is being restarted, or because the identity provider does not answer a sign-in.',
    action:
      'Wait for the seconds in `Retry-After`, or a few if there is none, and repeat the call. Let the pauses grow.',
  },
};

/** The advice on each reason of a refused sign-in, by the name of its example in the spec. */
export const signInGuide: Readonly<Record<string, ErrorAdvice>> = {
  authenticationFailed: {
    when: 'The username or the password is wrong, the password is not in Base64, or the user or the firm is disabled. It is not a failure of the service, although its status is 500.',
    action:
      'Send the password in Base64, without a line end: `printf %s "$ADX_PASSWORD" | base64 | tr -d \'\\n\'`. In C# it is `Convert.ToBase64String(Encoding.UTF8.GetBytes(password))`, in PHP `base64_encode($password)`. The client does so by itself, and takes the password as it is. If it is refused again, sign in by hand, and do not repeat the call in a loop, as `curl --retry` does: after ten failures within a quarter of an hour, the answer is [`tooManyRequests`](/errors/tooManyRequests.md), also with the right password.',
  },
  invalidRefreshToken: {
    when: 'The refresh token is unknown, older than 30 days, of another partner, or of a user who has a new password or was disabled, alone or with the firm.',
    action: 'Sign in again with username and password, and keep the new refresh token.',
  },
};
