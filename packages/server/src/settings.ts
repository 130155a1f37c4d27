import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { parseSender } from './mail/message.js';
import { defaultUnsignedLinks } from './mandates/unsigned-links.js';
import { traceVariables } from './tracing/trace-settings.js';
import { parseTrustedProxies } from './trusted-proxies.js';

/** Accepts only digits. JavaScript would also read `0x1f90` and `8e3` as numbers. */
function whole(min: number, max?: number) {
  const isInRange = (text: string) =>
    /^\d+$/.test(text) && Number(text) >= min && Number(text) <= (max ?? Number.MAX_SAFE_INTEGER);
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  return z.string().refine(isInRange, `is not a whole number ${range}`).transform(Number);
}

const webUrl = z
  .url({ protocol: /^https?$/, error: 'is not an http or https URL' })
  .transform((url) => url.replace(/\/+$/, ''));

/** A URL for hyperlinks, headers and the spec, to which paths are appended. */
const deploymentUrl = webUrl.refine(
  (url) => /^https?:\/\/[\w.:[\]/~%-]+$/i.test(url),
  'has more than scheme, host, port and path, or unusual characters in them',
);

/** An origin as browsers send it in `Origin`, because the two are compared as text. */
const origin = webUrl.refine(
  (url) => url === new URL(url).origin,
  'is not an origin as browsers send it: scheme, lower-case host, and port unless it is the default',
);

/** A URL without a path: the service would sign the path, but the storage does not verify it. */
const storageUrl = webUrl.refine((url) => {
  const { pathname, search, hash, username, password } = new URL(url);
  return pathname + search + hash + username + password === '/';
}, 'has more than scheme, host and port');

/** An address to which passwords are sent. Issuers are compared as text, so nothing is changed. */
const providerUrl = z
  // Without `abort`, the refinements would get a value that is not a URL.
  .url({ protocol: /^https?$/, error: 'is not an http or https URL', abort: true })
  .refine((url) => {
    const { protocol, hostname } = new URL(url);
    return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  }, 'is not https, which is required except on this machine')
  .refine((url) => {
    const { search, hash, username, password } = new URL(url);
    return search + hash + username + password === '';
  }, 'has more than scheme, host, port and path');

/**
 * Marks a setting as a secret, which can also be in a file: the variable with the suffix `_FILE`
 * has its path (D-59). `meta` marks the schema that it is called on, so it comes last.
 */
const secret = { secret: true };

const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: 'is not a postgresql URL' })
  .optional()
  .meta(secret);

/** An address, optionally with a name. */
const sender = z
  .string()
  .refine((text) => parseSender(text) !== undefined, 'is not an address or `Name <address>`');

/** The names that S3 allows: no capitals, no slash, 3 to 63 characters. */
const bucketName = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is not a bucket name');

const trustedProxies = z.string().transform((text, context) => {
  const proxies = parseTrustedProxies(text);
  if (proxies !== undefined) return proxies;
  context.addIssue('is neither a number of proxies (1 to 10) nor a list of subnets');
  return z.NEVER;
});

const longSecret = z.string().min(32, 'is shorter than 32 characters');

/** All settings of the service, as environment variables. */
export const settings = z.strictObject({
  /** Port to listen on; 0 picks a free port. */
  PORT: whole(0, 65_535).default(3000),
  /** Address to listen on. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Address at which partners reach the service; also the issuer of its ID tokens. */
  PUBLIC_URL: deploymentUrl.optional(),
  /**
   * Proxies whose `X-Forwarded-For` is trusted for the IP address of a signer: how many of them
   * every request passes, or their subnets (`10.0.0.0/8, loopback`). By default none is trusted.
   */
  TRUST_PROXY: trustedProxies.optional(),
  /** The PostgreSQL database. */
  DATABASE_URL: databaseUrl,
  /** A replica of it, or several, from which lists are read that may be seconds old (D-71). */
  DATABASE_READ_URL: databaseUrl,
  /**
   * Maximum number of database connections of a process. One that works on jobs opens up to 6
   * more.
   */
  DATABASE_POOL_SIZE: whole(1, 500).default(10),
  /**
   * The provider that checks passwords (D-56): this service, a provider with OpenID Connect, or
   * Amazon Cognito.
   */
  IDENTITY_PROVIDER: z.enum(['built-in', 'oidc', 'cognito']).default('built-in'),
  /** Issuer of the OpenID Connect provider, exactly as in its metadata. */
  OIDC_ISSUER: providerUrl.optional(),
  /** The client that this service is at the provider. */
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  /** Its secret; by default it is a public client. */
  OIDC_CLIENT_SECRET: z.string().min(1).optional().meta(secret),
  /** Scopes that are requested, separated by spaces; `openid` is needed for an ID token. */
  OIDC_SCOPE: z
    .string()
    .regex(/^(?:\S+ )*openid(?: \S+)*$/, 'does not contain openid')
    .default('openid profile'),
  /** Claim of the provider's ID token that is the username here. */
  OIDC_USERNAME_CLAIM: z.string().min(1).default('preferred_username'),
  /** Id of the Cognito user pool, which begins with its region. */
  COGNITO_USER_POOL_ID: z
    .string()
    .regex(/^[a-z0-9-]+_[0-9A-Za-z]+$/, 'is not the id of a user pool')
    .optional(),
  /** The app client that this service is in the pool. */
  COGNITO_CLIENT_ID: z.string().min(1).optional(),
  /** Its secret; by default it has none. */
  COGNITO_CLIENT_SECRET: z.string().min(1).optional().meta(secret),
  /** Claim of the ID token of Cognito that is the username here. */
  COGNITO_USERNAME_CLAIM: z.string().min(1).default('cognito:username'),
  /** `true` if the app client rotates refresh tokens. */
  COGNITO_REFRESH_ROTATION: z.enum(['true', 'false']).default('false'),
  /** Address of Cognito; by default that of AWS for the region. */
  COGNITO_ENDPOINT: providerUrl.transform((url) => url.replace(/\/+$/, '')).optional(),
  /** Address at which partners reach the object storage, if the service reaches it by another. */
  STORAGE_PUBLIC_URL: storageUrl.optional(),
  /** Object storage other than AWS. */
  S3_ENDPOINT: webUrl.optional(),
  /** Region of the buckets; required for AWS. */
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'is not a region')
    .optional(),
  /**
   * `true` if the bucket is part of the path of a URL (the default with S3_ENDPOINT), not of its
   * host.
   */
  S3_PATH_STYLE: z.enum(['true', 'false']).optional(),
  /** Access key for the storage; with AWS, the default is that of the machine or its role. */
  S3_ACCESS_KEY_ID: z.string().min(1).optional().meta(secret),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().meta(secret),
  /** Bucket of the listed files. */
  S3_BUCKET_FILES: bucketName.optional(),
  /** Bucket for uploads of CODA files. */
  S3_BUCKET_CODA_UPLOADS: bucketName.optional(),
  /** Bucket for uploads of CODB files. */
  S3_BUCKET_CODB_UPLOADS: bucketName.optional(),
  /** Role for the upload credentials of partners; each session is restricted to one prefix. */
  STS_ROLE_ARN: z
    .string()
    .regex(/^arn:\S{16,}$/, 'is not an ARN')
    .optional(),
  /** Address at which that role is assumed; by default S3_ENDPOINT, or AWS. */
  STS_ENDPOINT: webUrl.optional(),
  /** Mail server for signature requests, and for the evidence of signatures (D-37). */
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: 'is not an smtp or smtps URL with a host' })
    .optional()
    .meta(secret),
  /** `true` if messages may leave this machine without TLS; credentials never do. */
  SMTP_ALLOW_PLAINTEXT: z.enum(['true', 'false']).default('false'),
  /** Folder to which messages are written instead of being sent. */
  MAIL_FOLDER: z.string().min(1).optional(),
  /** Sender of every message: an address, or `Name <address>`. */
  MAIL_FROM: sender.optional(),
  /** Attempts to send a message; then the mandates of a signature request are in `error`. */
  MAIL_ATTEMPTS: whole(1, 40).default(28),
  /** Messages with signature requests that a customer may cause in 24 hours; others wait (D-36). */
  MAILS_PER_CUSTOMER_PER_DAY: whole(1, 1_000_000).default(10),
  /** The same for a firm, with all its customers. */
  MAILS_PER_FIRM_PER_DAY: whole(1, 1_000_000).default(5000),
  /**
   * Messages with signature requests that an address may get in 24 hours, from all firms together.
   */
  MAILS_PER_ADDRESS_PER_DAY: whole(1, 1_000_000).default(50),
  /**
   * Number of jobs that a process runs at once on files: by default none for `serve`, 16 for
   * `worker`.
   */
  JOBS_CONCURRENCY: whole(0, 50).optional(),
  /** Secret from which the signing URLs are derived, the same in every process. */
  LINK_SECRET: longSecret.optional().meta(secret),
  /**
   * Secret with which the private keys that sign ID tokens are encrypted in the database (D-59).
   */
  SIGNING_KEY_SECRET: longSecret.optional().meta(secret),
  /** Days for which deliveries without a signed mandate are held before they are deleted (D-28). */
  HELD_DELIVERY_DAYS: whole(1, 3650).default(90),
  /** Bank accounts and payroll providers that a firm may add without a signature (D-66). */
  UNSIGNED_LINKS_PER_FIRM: whole(1, 1_000_000).default(defaultUnsignedLinks.perFirm),
  /** Days after which one without a signature no longer counts, and gives way (D-66). */
  UNSIGNED_LINK_DAYS: whole(1, 3650).default(defaultUnsignedLinks.days),
  /** Days for which the copies of rejected uploads are kept before they are deleted (D-27). */
  REJECTED_UPLOAD_DAYS: whole(1, 3650).default(90),
  /**
   * Calendar years for which statements and payroll files are kept after the year of their date
   * (D-63).
   */
  STATEMENT_YEARS: whole(1, 100).default(10),
  /**
   * Years for which mandates and the evidence of their signatures are kept after their end (D-63).
   */
  EVIDENCE_YEARS: whole(1, 100).default(10),
  /** Years for which the records of uploads and deliveries are kept (D-63). */
  UPLOAD_YEARS: whole(1, 100).default(2),
  /** Years for which the audit trail is kept (D-63). */
  AUDIT_YEARS: whole(1, 100).default(10),
  /** Calls that an API key may make per minute for each firm, with all processes (D-23). */
  RATE_LIMIT_PER_MINUTE: whole(1).default(1200),
  /**
   * Calls of a firm that a process works on at once while no other firm calls; several firms share
   * half of them (D-39). At most one less than DATABASE_POOL_SIZE, so that a firm never holds all
   * connections.
   */
  CONCURRENT_CALLS: whole(1, 500).default(4),
  /**
   * Seconds for which a service that is told to stop goes on serving, while `/readyz` is 503, so
   * that load balancers switch to another one first (D-61).
   */
  DRAIN_SECONDS: whole(0, 60).default(0),
  /** Origin of the web pages that may call the interface; `*` for all. */
  CORS_ORIGIN: z.union([z.literal('*'), origin]).default('*'),
  /**
   * Name of the operator in the audit trail (D-58); by default the name of the operating system's
   * user.
   */
  ADX_OPERATOR: z
    .string()
    .regex(/^[^\p{Cc}\p{Cf}]{1,100}$/u, 'is longer than 100 characters or has control characters')
    .optional(),
  /** `test` for a sandbox or staging: new API keys begin with `adx_test_` (D-20). */
  DEPLOYMENT: z.enum(['live', 'test']).default('live'),
  /** Folder of the built documentation. */
  DOCS_DIR: z.string().min(1).optional(),
  /**
   * Port on which Prometheus reads the metrics of the process (D-55); by default there are none.
   */
  METRICS_PORT: whole(0, 65_535).optional(),
  /** Address to listen on for it. */
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  ...traceVariables,
  /** Lowest level that is logged. */
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export type Settings = z.infer<typeof settings>;

const names = Object.keys(settings.shape);

/** The names of the secret settings. */
export const secretSettings: readonly string[] = Object.entries(settings.shape).flatMap(
  ([name, schema]) => (schema.meta()?.['secret'] === true ? [name] : []),
);

/** Returns the name of the variable that names the file of a secret. */
export function fileVariable(secretName: string): string {
  return `${secretName}_FILE`;
}

/** Returns a finding for an unknown variable that was probably meant as a setting. */
export function findMisspelling(name: string): string[] {
  if (names.some((known) => known.includes('_') && name === fileVariable(known))) {
    return [`${name}: there is no such setting; only secrets can be in files`];
  }
  const meant = [...names, ...secretSettings.map(fileVariable)].find(
    // Short names, such as PORT and HOST, are too similar to those of other programs.
    (known) =>
      known.includes('_') &&
      name.includes('_') &&
      distance(known, name) <= (known.length > 8 ? 2 : 1),
  );
  if (meant !== undefined) return [`${name}: there is no such setting; did you mean ${meant}?`];
  return /^(S3|SMTP|STS|TRUST|OIDC|COGNITO)_/.test(name)
    ? [`${name}: there is no such setting`]
    : [];
}
