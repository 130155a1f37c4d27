// Generated from openapi.yaml by `npm run generate`. Do not edit.

/** Every error code with its HTTP status and its message (D-03). */
export const errorCatalogue = {
  unknownField: {
    status: 400,
    message: 'The request holds fields that this operation does not know.',
  },
  validationFailed: {
    status: 400,
    message: 'The request does not match the specification of this operation.',
  },
  invalidJson: { status: 400, message: 'The body is not valid JSON.' },
  missingCredentials: {
    status: 400,
    message: 'Send either username and password, or refreshToken.',
  },
  invalidEnterpriseNumber: {
    status: 400,
    message: 'The check digits of the enterprise number are wrong.',
  },
  invalidIban: { status: 400, message: 'The IBAN is not valid.' },
  unknownPayrollProvider: { status: 400, message: 'There is no payroll provider with this code.' },
  unauthorized: { status: 401, message: 'The ID token is missing or not valid.' },
  tokenExpired: { status: 401, message: 'The ID token has expired; refresh it with POST /token.' },
  portalOnly: {
    status: 401,
    message: 'Users with the Portal only access level cannot use this interface.',
  },
  invalidApiKey: { status: 403, message: 'The API key is missing or not valid.' },
  insufficientScope: { status: 403, message: 'The API key lacks the scope of this operation.' },
  belongsToAnotherTenant: {
    status: 403,
    message: 'This enterprise number is registered by another accounting firm. A transfer requires the agreement of the end customer; contact support.',
  },
  upload_not_allowed: {
    status: 403,
    message: 'Uploading is not enabled for this accounting firm.',
  },
  notFound: { status: 404, message: 'There is no such resource, or you may not see it.' },
  methodNotAllowed: {
    status: 405,
    message: 'This path does not have this method; Allow names those that it has.',
  },
  customerExists: {
    status: 409,
    message: 'Your firm has already registered a customer with this enterprise number.',
  },
  ibanInUse: { status: 409, message: 'This IBAN is already an active bank account of a customer.' },
  tooManyUnsignedLinks: {
    status: 409,
    message: 'Your firm has added too many customers, bank accounts or payroll providers that nobody signed for.',
  },
  mandateNotRequestable: {
    status: 409,
    message: 'The mandate cannot be requested in its present status.',
  },
  idempotencyKeyInUse: {
    status: 409,
    message: 'A call with this Idempotency-Key is not finished; repeat it after a moment.',
  },
  payloadTooLarge: { status: 413, message: 'The body is larger than 64 KiB.' },
  unsupportedMediaType: { status: 415, message: 'Send the body as application/json in UTF-8.' },
  idempotencyKeyReused: {
    status: 422,
    message: 'Another call was made with this Idempotency-Key; use a new key for each call.',
  },
  tooManyRequests: {
    status: 429,
    message: 'A limit is reached; Retry-After says how many seconds to wait.',
  },
  internalError: { status: 500, message: 'Something went wrong on our side.' },
  unavailable: { status: 503, message: 'The service cannot answer right now; try again later.' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>;

/** The stable codes of errors. */
export type ErrorCode = keyof typeof errorCatalogue;
