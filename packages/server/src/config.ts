import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parseTrustedProxies, type TrustedProxies } from './http/trusted-proxies.js';
import {
  type StorageSettings,
  storageFindings,
  toStorageSettings,
} from './storage/storage-settings.js';

/** Plain digits: JavaScript would read `0x1f90` and `8e3` as numbers too. */
const whole = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.number().int().min(least).max(most));

const webUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

/** As browsers send it in `Origin`, which is compared character by character. */
const origin = webUrl.refine(
  (url) => url === new URL(url).origin,
  'is not an origin as browsers send it: scheme, lower-case host, a port that is not the usual one',
);

/** A path before the bucket is in what the service signs, and not in what its storage verifies. */
const storageUrl = webUrl.refine((url) => {
  const { pathname, search, hash, username, password } = new URL(url);
  return pathname + search + hash + username + password === '/';
}, 'is more than scheme, host and port');

/** An address, alone or behind a name. */
const sender = z
  .string()
  .regex(
    /^(?:[^<>@\r\n]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
    'is not an address or `Name <address>`',
  );

/** As S3 names buckets: no capitals, no slash, 3 to 63 characters. */
const bucketName = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is not a bucket name');

/** Hops or subnets. */
const trustedProxies = z.string().transform((text, context) => {
  const proxies = parseTrustedProxies(text);
  if (proxies !== undefined) return proxies;
  context.addIssue('is neither a number of proxies (1 to 10) nor a list of their subnets');
  return z.NEVER;
});

/** Jobs mostly wait for a mail server. */
const usualConcurrency = 4;

/** Every setting of the service: name, form, default. What is not here does not exist. */
const settings = z.strictObject({
  /** Port to listen on; 0 takes a free one, which the default of PUBLIC_URL does not know. */
  PORT: whole(0, 65_535).default(3000),
  /** Address to listen on. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Address at which partners reach the service; also the issuer of its ID tokens. */
  PUBLIC_URL: webUrl.optional(),
  /**
   * Proxies before the service, whose `X-Forwarded-For` tells the address of who signs: how many
   * every call passes, or their subnets (`10.0.0.0/8, loopback`). Without it none is believed.
   */
  TRUST_PROXY: trustedProxies.optional(),
  /** A PostgreSQL of your own; without it one is started beside the service. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Connections the process keeps to the database at most. */
  DATABASE_POOL_SIZE: whole(1, 500).default(10),
  /** Folder of everything that the embedded default stores. */
  ADX_DATA_DIR: z.string().min(1).optional(),
  /** Port of the embedded object storage; 0 takes a free one. */
  STORAGE_PORT: whole(0, 65_535).default(3001),
  /** Address at which partners reach the object storage, where that is not the service's own. */
  STORAGE_PUBLIC_URL: storageUrl.optional(),
  /**
   * An object storage of your own that is not AWS; without it and the buckets one is started beside
   * the service.
   */
  S3_ENDPOINT: webUrl.optional(),
  /** Region of the buckets; needed for AWS. */
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'is not a region')
    .optional(),
  /** Whether buckets stand in the path of a URL (`true`, the default with S3_ENDPOINT) or in its host. */
  S3_PATH_STYLE: z.enum(['true', 'false']).optional(),
  /** Key of the storage; with AWS, without one, that of the machine or its role. */
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** Bucket of the files that are listed. */
  S3_BUCKET_FILES: bucketName.optional(),
  /** Bucket that CODA files are uploaded to. */
  S3_BUCKET_CODA_UPLOADS: bucketName.optional(),
  /** Bucket that CODB files are uploaded to. */
  S3_BUCKET_CODB_UPLOADS: bucketName.optional(),
  /** Role that partners upload as, each cut down to its prefix. */
  STS_ROLE_ARN: z
    .string()
    .regex(/^arn:\S+$/, 'is not an ARN')
    .min(20)
    .optional(),
  /** Where that role is assumed; without it S3_ENDPOINT, or AWS. */
  STS_ENDPOINT: webUrl.optional(),
  /** Mail server that signature requests are sent through; without it they are files in the data folder. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Sender of every message: an address, or `Name <address>`. */
  MAIL_FROM: sender.optional(),
  /** Attempts to send a message before its mandates are in `error`. */
  MAIL_ATTEMPTS: whole(1, 20).default(10),
  /**
   * Jobs, such as sending messages, that this process works on at once; 0 leaves them to others. With
   * a database of your own they are left to `adx-server worker`.
   */
  JOBS_CONCURRENCY: whole(0, 50).optional(),
  /** What the links to the signing page are derived from, the same in every process. */
  LINK_SECRET: z.string().min(32).optional(),
  /** Days for which deliveries are held that no signed mandate covers; then they are deleted (D-28). */
  HELD_DELIVERY_DAYS: whole(1, 3650).default(90),
  /** Calls that an API key may make per minute and process. */
  RATE_LIMIT_PER_MINUTE: whole(1).default(1200),
  /** Origin of the web pages that may call the interface; `*` for all. */
  CORS_ORIGIN: z.union([z.literal('*'), origin]).default('*'),
  /** Least level that is logged. */
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

/** Beginnings of names that are ours: a setting that starts so and is not known is a mistake. */
const ownPrefixes = [
  ...['ADX_', 'CORS_', 'DATABASE_', 'HELD_', 'JOBS_', 'LINK_', 'LOG_', 'MAIL_', 'PUBLIC_'],
  ...['RATE_LIMIT_', 'S3_', 'SMTP_', 'STORAGE_', 'STS_', 'TRUST_'],
];

/** The settings of a running service, read once at its start. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string;
  /** Absent when callers reach the service themselves. */
  readonly trustedProxies: TrustedProxies | undefined;
  /** Absent when the embedded PostgreSQL serves. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  /** Absolute path. */
  readonly dataDir: string;
  readonly storage: StorageSettings;
  /** Absent when messages are files. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly mailAttempts: number;
  /** Jobs that `serve` works on at once; 0 for none. */
  readonly jobsConcurrency: number;
  /** Jobs that `worker` works on at once. */
  readonly workerConcurrency: number;
  /** Absent when it is kept in the data folder. */
  readonly linkSecret: string | undefined;
  readonly heldDeliveryDays: number;
  readonly rateLimitPerMinute: number;
  readonly corsOrigin: string;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Absolute path of the built documentation. */
  readonly docsDir: string;
}

/** A setting that is unknown or malformed; the message names each one, never its value. */
export class ConfigError extends Error {
  constructor(findings: readonly string[]) {
    super(`The settings are not valid:\n${findings.map((finding) => `  ${finding}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads the settings from an environment. An empty value counts as absent.
 *
 * @throws ConfigError naming every unknown and malformed setting at once
 */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const known = Object.keys(settings.shape);
  const given = Object.entries(environment).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const unknown = given
    .map(([name]) => name)
    .filter(
      (name) => ownPrefixes.some((prefix) => name.startsWith(prefix)) && !known.includes(name),
    );
  const parsed = settings.safeParse(
    Object.fromEntries(given.filter(([name]) => known.includes(name))),
  );
  const malformed = parsed.success ? [] : parsed.error.issues.map(describeIssue);
  const findings = [...unknown.map((name) => `${name}: there is no such setting`), ...malformed];
  if (parsed.data?.SMTP_URL !== undefined && parsed.data.MAIL_FROM === undefined) {
    findings.push('MAIL_FROM: is needed beside SMTP_URL');
  }
  if (parsed.success) findings.push(...storageFindings(parsed.data));
  if (!parsed.success || findings.length > 0) throw new ConfigError(findings);
  return toConfig(parsed.data);
}

function toConfig(values: z.infer<typeof settings>): Config {
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL ?? `http://${hostInUrl(values.HOST)}:${values.PORT}`,
    trustedProxies: values.TRUST_PROXY,
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    // The same folder wherever a command is run from.
    dataDir:
      values.ADX_DATA_DIR === undefined ? inRepository('.data') : resolve(values.ADX_DATA_DIR),
    storage: toStorageSettings(values),
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? 'Accounting Data Exchange <no-reply@localhost>',
    mailAttempts: values.MAIL_ATTEMPTS,
    jobsConcurrency:
      values.JOBS_CONCURRENCY ?? (values.DATABASE_URL === undefined ? usualConcurrency : 0),
    workerConcurrency: values.JOBS_CONCURRENCY ?? usualConcurrency,
    linkSecret: values.LINK_SECRET,
    heldDeliveryDays: values.HELD_DELIVERY_DAYS,
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    corsOrigin: values.CORS_ORIGIN,
    logLevel: values.LOG_LEVEL,
    docsDir: inRepository('docs/dist'),
  });
}

/** An IPv6 address stands in brackets in a URL. */
function hostInUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

function inRepository(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')}: ${issue.message}`;
}
