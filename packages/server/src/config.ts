import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import type { RetentionYears } from './erasure/retention.js';
import type { AppSettings } from './http/app.js';
import type { MetricsAddress } from './http/metrics-server.js';
import type { ApiKeyKind } from './identity/api-keys.js';
import {
  type ProviderSettings,
  providerFindings,
  toProviderSettings,
} from './identity/providers/provider-settings.js';
import type { MailSettings } from './mail/mailer.js';
import type { MailBudgets } from './mandates/signing/mail-budgets.js';
import type { UnsignedLinkLimits } from './mandates/unsigned-links.js';
import { readSecretFiles } from './secret-files.js';
import { fileVariable, findMisspelling, type Settings, settings } from './settings.js';
import {
  type StorageSettings,
  storageFindings,
  toStorageSettings,
} from './storage/storage-settings.js';
import { type TraceSettings, toTraceSettings } from './tracing/trace-settings.js';

/** The number of jobs that a worker runs at once by default. */
export const defaultConcurrency = 16;

/** The configuration of an operator command. */
interface CommandConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  /** Days for which deliveries without a signed mandate are held (D-28). */
  readonly heldDeliveryDays: number;
  readonly unsignedLinks: UnsignedLinkLimits;
  /** False if another identity provider than the built-in one checks passwords (D-56). */
  readonly hasPasswords: boolean;
  /** The kind of new API keys. */
  readonly apiKeyKind: ApiKeyKind;
  /** The name of the operator in the audit trail, if it is set (D-58). */
  readonly operator: string | undefined;
  readonly logLevel: Settings['LOG_LEVEL'];
}

/** The configuration of a command that creates signing keys. */
interface SigningKeysConfig extends CommandConfig {
  /** The secret with which private signing keys are encrypted (D-59). */
  readonly signingKeySecret: string;
}

/** The configuration of a command that reads or stores files. */
export interface FilesConfig extends CommandConfig {
  readonly storage: StorageSettings;
}

/** The configuration of a process that runs until it is told to stop. */
export interface ProcessConfig extends FilesConfig {
  /** Undefined if there are no metrics. */
  readonly metrics: MetricsAddress | undefined;
  /** Undefined if there are no traces. */
  readonly traces: TraceSettings | undefined;
  readonly publicUrl: string;
}

/** The configuration of a process that runs jobs. */
export interface WorkerConfig extends ProcessConfig {
  readonly jobs: JobSettings;
}

interface JobSettings {
  /** Days for which the copies of rejected uploads are kept (D-27). */
  readonly rejectedUploadDays: number;
  /** The years for which data is kept (D-63). */
  readonly retention: RetentionYears;
  /** The number of jobs that run at once. */
  readonly concurrency: number;
  readonly linkSecret: string;
  readonly mail: MailSettings;
  /** The number of attempts to send a message. */
  readonly mailAttempts: number;
  readonly mailBudgets: MailBudgets;
}

/** The configuration of the service. */
export interface ServiceConfig extends ProcessConfig, SigningKeysConfig, AppSettings {
  readonly identityProvider: ProviderSettings;
  /** The replica for lists; undefined if they are read from the database (D-71). */
  readonly databaseReadUrl: string | undefined;
  /** The number of calls of a firm that run at once while no other firm calls. */
  readonly concurrentCalls: number;
  /** How long it goes on serving when it is told to stop, in seconds. */
  readonly drainSeconds: number;
  readonly port: number;
  readonly host: string;
  /** Undefined if jobs are left to workers. */
  readonly jobs: JobSettings | undefined;
}

/** The configuration of each kind of process. */
export interface Configs {
  command: CommandConfig;
  signingKeys: SigningKeysConfig;
  files: FilesConfig;
  worker: WorkerConfig;
  service: ServiceConfig;
}

/**
 * Settings that are missing, unknown or malformed. The message has their names, but not their
 * values.
 */
export class ConfigError extends Error {
  readonly findings: readonly string[];

  constructor(findings: readonly string[]) {
    super(`The settings are not valid:\n${findings.map((finding) => `  ${finding}`).join('\n')}`);
    this.name = 'ConfigError';
    this.findings = findings;
  }
}

/** Says in words what the library would say in its own. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'invalid_value' ? `is none of ${issue.values.join(', ')}` : undefined;
}

/**
 * Reads the configuration of one kind of process from the environment and the files of secrets that
 * it names. An empty variable counts as missing.
 *
 * @throws ConfigError with all missing, unknown and malformed settings
 */
export function loadConfig<Kind extends keyof Configs>(
  environment: Readonly<Record<string, string | undefined>>,
  kind: Kind,
): Configs[Kind] {
  const known = Object.keys(settings.shape);
  const variables = new Map(
    Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const { given, findings: fileFindings } = readSecretFiles(variables);
  const parsed = settings.safeParse(
    Object.fromEntries([...given].filter(([name, value]) => known.includes(name) && value)),
    { error: describeIssue },
  );
  const nameGiven = (name: string) =>
    variables.has(fileVariable(name)) ? fileVariable(name) : name;
  const findings = [
    ...[...given.keys()].filter((name) => !known.includes(name)).flatMap(findMisspelling),
    ...fileFindings,
    ...(parsed.error?.issues ?? []).map(
      ({ path, message }) => `${nameGiven(path.join('.'))}: ${message}`,
    ),
    ...missingFor(kind, given),
    ...(kind === 'command' || kind === 'signingKeys' ? [] : storageFindings(given)),
    ...(kind === 'service' ? providerFindings(given) : []),
  ];
  if (!parsed.success || findings.length > 0) throw new ConfigError(findings);
  return readers[kind](parsed.data);
}

/** Returns findings for required settings that are missing, except for those of the storage. */
function missingFor(kind: keyof Configs, given: ReadonlyMap<string, string>): string[] {
  const isWorker =
    kind === 'worker' || (kind === 'service' && Number(given.get('JOBS_CONCURRENCY') ?? 0) > 0);
  const signs = kind === 'service' || kind === 'signingKeys';
  const required = [
    'DATABASE_URL',
    ...(kind === 'service' || isWorker ? ['PUBLIC_URL'] : []),
    ...(isWorker ? ['LINK_SECRET'] : []),
    ...(signs && !given.has('LINK_SECRET') ? ['SIGNING_KEY_SECRET'] : []),
  ];
  const findings = required.filter((name) => !given.has(name)).map((name) => `${name}: is missing`);
  if (isWorker && !given.has('SMTP_URL') && !given.has('MAIL_FOLDER')) {
    findings.push('SMTP_URL: is missing; set it, or MAIL_FOLDER to write messages to a folder');
  }
  if (given.has('SMTP_URL') && !given.has('MAIL_FROM')) {
    findings.push('MAIL_FROM: is required with SMTP_URL');
  }
  return findings;
}

const readers: { readonly [Kind in keyof Configs]: (values: Settings) => Configs[Kind] } = {
  command: readCommand,
  signingKeys: readSigningKeys,
  files: readFiles,
  worker: (values) => ({
    ...readProcess(values, 'adx-worker'),
    jobs: readJobs(values, values.JOBS_CONCURRENCY || defaultConcurrency),
  }),
  service: (values) => ({
    ...readProcess(values, 'adx-server'),
    ...readSigningKeys(values),
    identityProvider: toProviderSettings(values),
    databaseReadUrl: values.DATABASE_READ_URL,
    port: values.PORT,
    host: values.HOST,
    trustedProxies: values.TRUST_PROXY,
    jobs: values.JOBS_CONCURRENCY ? readJobs(values, values.JOBS_CONCURRENCY) : undefined,
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    concurrentCalls: Math.min(values.CONCURRENT_CALLS, Math.max(1, values.DATABASE_POOL_SIZE - 1)),
    drainSeconds: values.DRAIN_SECONDS,
    corsOrigin: values.CORS_ORIGIN,
    docsDir: resolve(values.DOCS_DIR ?? builtDocs()),
  }),
};

/** Returns the folder of the documentation: that in the package (D-61), or that of the checkout. */
function builtDocs(): string {
  const packed = fileURLToPath(new URL('docs', import.meta.url));
  return existsSync(packed)
    ? packed
    : fileURLToPath(new URL('../../../docs/dist', import.meta.url));
}

function readCommand(values: Settings): CommandConfig {
  return {
    databaseUrl: values.DATABASE_URL ?? '',
    databasePoolSize: values.DATABASE_POOL_SIZE,
    heldDeliveryDays: values.HELD_DELIVERY_DAYS,
    unsignedLinks: { perFirm: values.UNSIGNED_LINKS_PER_FIRM, days: values.UNSIGNED_LINK_DAYS },
    hasPasswords: values.IDENTITY_PROVIDER === 'built-in',
    apiKeyKind: values.DEPLOYMENT,
    operator: values.ADX_OPERATOR,
    logLevel: values.LOG_LEVEL,
  };
}

function readSigningKeys(values: Settings): SigningKeysConfig {
  const { SIGNING_KEY_SECRET: own, LINK_SECRET: shared = '' } = values;
  return { ...readCommand(values), signingKeySecret: own ?? shared };
}

function readFiles(values: Settings): FilesConfig {
  return { ...readCommand(values), storage: toStorageSettings(values) };
}

/** @param serviceName - the name of the process in its traces */
function readProcess(values: Settings, serviceName: string): ProcessConfig {
  const { METRICS_PORT: port, METRICS_HOST: host } = values;
  return {
    ...readFiles(values),
    metrics: port === undefined ? undefined : { port, host },
    traces: toTraceSettings(values, serviceName),
    publicUrl: values.PUBLIC_URL ?? '',
  };
}

function readJobs(values: Settings, concurrency: number): JobSettings {
  const { SMTP_URL: smtpUrl, MAIL_FOLDER: folder = '' } = values;
  const allowPlaintext = values.SMTP_ALLOW_PLAINTEXT === 'true';
  return {
    rejectedUploadDays: values.REJECTED_UPLOAD_DAYS,
    retention: {
      statements: values.STATEMENT_YEARS,
      evidence: values.EVIDENCE_YEARS,
      uploads: values.UPLOAD_YEARS,
      audit: values.AUDIT_YEARS,
    },
    concurrency,
    linkSecret: values.LINK_SECRET ?? '',
    mail: {
      to: smtpUrl === undefined ? { folder: resolve(folder) } : { smtpUrl, allowPlaintext },
      from: values.MAIL_FROM ?? 'Accounting Data Exchange <no-reply@localhost>',
    },
    mailAttempts: values.MAIL_ATTEMPTS,
    mailBudgets: {
      customer: values.MAILS_PER_CUSTOMER_PER_DAY,
      firm: values.MAILS_PER_FIRM_PER_DAY,
      address: values.MAILS_PER_ADDRESS_PER_DAY,
    },
  };
}
