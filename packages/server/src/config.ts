import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  type StorageSettings,
  storageFindings,
  toStorageSettings,
} from './storage/storage-settings.js';
import { parseTrustedProxies, type TrustedProxies } from './trusted-proxies.js';

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
  /** The PostgreSQL of the service. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Connections the process keeps to the database at most. */
  DATABASE_POOL_SIZE: whole(1, 500).default(10),
  /** Address at which partners reach the object storage, where the service reaches it by another. */
  STORAGE_PUBLIC_URL: storageUrl.optional(),
  /** An object storage that is not AWS. */
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
  /** Mail server that signature requests are sent through. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Folder for messages in place of a mail server. */
  MAIL_FOLDER: z.string().min(1).optional(),
  /** Sender of every message: an address, or `Name <address>`. */
  MAIL_FROM: sender.optional(),
  /** Attempts to send a message before its mandates are in `error`. */
  MAIL_ATTEMPTS: whole(1, 20).default(10),
  /**
   * Jobs, such as sending messages, that a process works on at once. `serve` works on none unless it
   * is set; `worker` works on 4.
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
  /** Folder of the built documentation, where it is not beside the service. */
  DOCS_DIR: z.string().min(1).optional(),
  /** Least level that is logged. */
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

/** A name that begins like one of the settings and is none of them is a mistake in spelling. */
const ownPrefixes = [
  ...['CORS_', 'DATABASE_', 'HELD_', 'JOBS_', 'LINK_', 'LOG_', 'MAIL_', 'PUBLIC_'],
  ...['RATE_LIMIT_', 'S3_', 'SMTP_', 'STORAGE_', 'STS_', 'TRUST_'],
];

/** The settings of an operator command. */
export interface CommandConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  /** Days for which deliveries are held that no signed mandate covers (D-28). */
  readonly heldDeliveryDays: number;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** The settings of a command that reads or stores files. */
export interface FilesConfig extends CommandConfig {
  readonly storage: StorageSettings;
}

/** The settings of a process that works on jobs. */
export interface WorkerConfig extends FilesConfig {
  readonly publicUrl: string;
  readonly jobs: JobSettings;
}

export interface JobSettings {
  /** Jobs worked on at once. */
  readonly concurrency: number;
  readonly linkSecret: string;
  readonly mail: MailSettings;
}

export interface MailSettings {
  /** A mail server, or the folder that takes its place. */
  readonly to: { readonly smtpUrl: string } | { readonly folder: string };
  readonly from: string;
  readonly attempts: number;
}

/** The settings of the service. */
export interface ServiceConfig extends FilesConfig {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string;
  /** Absent when callers reach the service without a proxy. */
  readonly trustedProxies: TrustedProxies | undefined;
  /** Absent when jobs are left to workers. */
  readonly jobs: JobSettings | undefined;
  readonly rateLimitPerMinute: number;
  readonly corsOrigin: string;
  /** Absolute path of the built documentation. */
  readonly docsDir: string;
}

/** The settings that each kind of process needs. */
export interface Configs {
  command: CommandConfig;
  files: FilesConfig;
  worker: WorkerConfig;
  service: ServiceConfig;
}

/** A setting that is missing, unknown or malformed; the message names each one, never its value. */
export class ConfigError extends Error {
  constructor(findings: readonly string[]) {
    super(`The settings are not valid:\n${findings.map((finding) => `  ${finding}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

type Values = z.infer<typeof settings>;

/**
 * Reads the settings of one kind of process from an environment. An empty value counts as absent.
 *
 * @throws ConfigError naming every missing, unknown and malformed setting at once
 */
export function loadConfig<Kind extends keyof Configs>(
  environment: Readonly<Record<string, string | undefined>>,
  kind: Kind,
): Configs[Kind] {
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
  const values = new Map(given.map(([name, value = '']) => [name, value]));
  const findings = [
    ...unknown.map((name) => `${name}: there is no such setting`),
    ...malformed,
    ...missingFor(kind, values),
    ...(kind === 'command' ? [] : storageFindings(values)),
  ];
  if (!parsed.success || findings.length > 0) throw new ConfigError(findings);
  return readers[kind](parsed.data);
}

/** Settings without which a kind of process does not start, beside those of the storage. */
function missingFor(kind: keyof Configs, given: ReadonlyMap<string, string>): string[] {
  const isWorker =
    kind === 'worker' || (kind === 'service' && Number(given.get('JOBS_CONCURRENCY') ?? 0) > 0);
  const needed = [
    'DATABASE_URL',
    ...(kind === 'service' || isWorker ? ['PUBLIC_URL'] : []),
    ...(isWorker ? ['LINK_SECRET'] : []),
  ];
  const findings = needed.filter((name) => !given.has(name)).map((name) => `${name}: is missing`);
  if (isWorker && !given.has('SMTP_URL') && !given.has('MAIL_FOLDER')) {
    findings.push('SMTP_URL: is missing; MAIL_FOLDER names a folder in its place');
  }
  if (given.has('SMTP_URL') && !given.has('MAIL_FROM')) {
    findings.push('MAIL_FROM: is needed with SMTP_URL');
  }
  return findings;
}

const readers: { readonly [Kind in keyof Configs]: (values: Values) => Configs[Kind] } = {
  command: readCommand,
  files: readFiles,
  worker: (values) => ({
    ...readFiles(values),
    publicUrl: values.PUBLIC_URL ?? '',
    jobs: readJobs(values, values.JOBS_CONCURRENCY || usualConcurrency),
  }),
  service: (values) => ({
    ...readFiles(values),
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL ?? '',
    trustedProxies: values.TRUST_PROXY,
    jobs: values.JOBS_CONCURRENCY ? readJobs(values, values.JOBS_CONCURRENCY) : undefined,
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    corsOrigin: values.CORS_ORIGIN,
    docsDir: resolve(
      values.DOCS_DIR ?? fileURLToPath(new URL('../../../docs/dist', import.meta.url)),
    ),
  }),
};

function readCommand(values: Values): CommandConfig {
  return {
    databaseUrl: values.DATABASE_URL ?? '',
    databasePoolSize: values.DATABASE_POOL_SIZE,
    heldDeliveryDays: values.HELD_DELIVERY_DAYS,
    logLevel: values.LOG_LEVEL,
  };
}

function readFiles(values: Values): FilesConfig {
  return { ...readCommand(values), storage: toStorageSettings(values) };
}

function readJobs(values: Values, concurrency: number): JobSettings {
  const { SMTP_URL: smtpUrl, MAIL_FOLDER: folder = '' } = values;
  return {
    concurrency,
    linkSecret: values.LINK_SECRET ?? '',
    mail: {
      to: smtpUrl === undefined ? { folder: resolve(folder) } : { smtpUrl },
      from: values.MAIL_FROM ?? 'Accounting Data Exchange <no-reply@localhost>',
      attempts: values.MAIL_ATTEMPTS,
    },
  };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')}: ${issue.message}`;
}
