import { errorCatalogue, type Product } from '@adx/contract';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { DatabaseNode } from '../db/nodes.js';
import type { EndedJob } from '../jobs/job.js';
import { version } from '../version.js';

export interface EndedRequest {
  /** Undefined for the signing page, the documentation and unknown paths. */
  readonly operation: string | undefined;
  readonly status: number;
  /** The `error` of the response, if it has one. */
  readonly code: string | undefined;
  /** False if the connection was closed before the end of the response. */
  readonly isComplete: boolean;
  /** The partner of the API key; undefined without a valid one. */
  readonly partner: string | undefined;
  readonly seconds: number;
}

/** An upload that has got its outcome, or was given up (`failed`). */
export interface EndedUpload {
  readonly product: string;
  readonly outcome: string;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Upper bounds of the duration of requests, in seconds. */
const requestBuckets = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];

/**
 * Creates the metrics of a process. The values of labels are few: operations and error codes of the
 * spec, tasks, and the partners of API keys; never a user, a firm or a path (D-55).
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'adx_requests_total',
    help: 'Requests that ended: ok, refused, failed (the fault of the service), aborted (by the caller)',
    labelNames: ['operation', 'status', 'outcome', 'partner'],
    registers,
  });
  const durations = new Histogram({
    name: 'adx_request_duration_seconds',
    help: 'Duration of requests',
    labelNames: ['operation'],
    buckets: requestBuckets,
    registers,
  });
  const errors = new Counter({
    name: 'adx_errors_total',
    help: 'Responses with an error, by its code',
    labelNames: ['operation', 'code', 'partner'],
    registers,
  });
  const jobs = new Counter({
    name: 'adx_job_runs_total',
    help: 'Runs of jobs that ended: done, failed (tried again later), givenUp',
    labelNames: ['task', 'outcome'],
    registers,
  });
  const jobSeconds = new Counter({
    name: 'adx_job_seconds_total',
    help: 'Time that runs of jobs took',
    labelNames: ['task'],
    registers,
  });
  const uploads = new Counter({
    name: 'adx_uploads_total',
    help: 'Uploads that were read: processed, rejected, or failed in all attempts',
    labelNames: ['product', 'outcome'],
    registers,
  });
  const mails = new Counter({
    name: 'adx_mails_total',
    help: 'Attempts to send a message: sent, rejected (for good), failed (tried again later)',
    labelNames: ['outcome'],
    registers,
  });
  const connectionFailures = new Counter({
    name: 'adx_database_connection_failures_total',
    help: 'Connections that PostgreSQL refused or that could not be opened, by SQLSTATE or system code',
    labelNames: ['code'],
    registers,
  });
  // Too many connections. It begins at 0, so that Prometheus sees the first failure too.
  connectionFailures.inc({ code: '53300' }, 0);
  const listReads = new Counter({
    name: 'adx_list_reads_total',
    help: 'Queries of lists that were read from the replica, or from the primary although there is one',
    labelNames: ['from'],
    registers,
  });
  const replicaLag = new Gauge({
    name: 'adx_replica_lag_seconds',
    help: 'For how long the replica has lacked something that the primary has committed',
    registers,
  });
  // Without a replica it has no value, not even 0.
  replicaLag.remove();
  new Gauge({
    name: 'adx_build_info',
    help: 'Always 1; its labels are the versions of the service and of Node',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);
  // At 0, so that `increase()` sees the first event. What partners call is known only when they do.
  const products: Readonly<Record<Product, true>> = { CODA: true, CODB: true };
  for (const product of Object.keys(products)) {
    for (const outcome of ['processed', 'rejected', 'failed']) uploads.inc({ product, outcome }, 0);
  }
  for (const outcome of ['sent', 'rejected', 'failed']) mails.inc({ outcome }, 0);

  return {
    registry,

    countRequest(request: EndedRequest): void {
      const { operation = 'none', status, partner = 'none', seconds } = request;
      const { code, outcome } = endOf(request);
      requests.inc({ operation, status, outcome, partner });
      durations.observe({ operation }, seconds);
      if (code !== undefined) errors.inc({ operation, code, partner });
    },

    /** Shows the counters of a task before its first run. */
    startJobCounters(task: string): void {
      for (const outcome of ['done', 'failed', 'givenUp']) jobs.inc({ task, outcome }, 0);
      jobSeconds.inc({ task }, 0);
    },

    countJob({ task, outcome, seconds }: EndedJob): void {
      jobs.inc({ task, outcome });
      jobSeconds.inc({ task }, seconds);
    },

    countUpload({ product, outcome }: EndedUpload): void {
      uploads.inc({ product, outcome });
    },

    countConnectionFailure(error: unknown): void {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      connectionFailures.inc({ code: typeof code === 'string' ? code : 'none' });
    },

    countListRead(from: 'replica' | 'primary'): void {
      listReads.inc({ from });
    },

    setReplicaLag(seconds: number): void {
      replicaLag.set(seconds);
    },

    /** Shows which nodes of a distributed database respond. */
    showNodes(found: () => readonly DatabaseNode[]): void {
      new Gauge({
        name: 'adx_database_node_up',
        help: '1 if a node of the database responds; without one its firms have no service',
        labelNames: ['node'],
        registers,
        collect() {
          this.reset();
          for (const { id, responds } of found()) this.set({ node: String(id) }, responds ? 1 : 0);
        },
      });
    },

    countMail(outcome: 'sent' | 'rejected' | 'failed'): void {
      mails.inc({ outcome });
    },
  };
}

/** Returns how a request ended, with values of which there are few. */
export function endOf(request: EndedRequest) {
  const code = labelOf(request);
  return { code, outcome: outcomeOf(request, code) };
}

/** Returns the error code, not a refused sign-in's reason, which a provider words as it likes. */
function labelOf({ code }: EndedRequest): string | undefined {
  return code === undefined || Object.hasOwn(errorCatalogue, code) ? code : 'signInRefused';
}

function outcomeOf(
  { status, isComplete }: EndedRequest,
  code: string | undefined,
): 'ok' | 'refused' | 'failed' | 'aborted' {
  // A list that failed after its status was sent counts too. A refused sign-in has status 500 (§7).
  const isFailure = code === 'internalError' || code === 'unavailable';
  if (isFailure || (status >= 500 && code !== 'signInRefused')) return 'failed';
  if (!isComplete) return 'aborted';
  return status < 400 ? 'ok' : 'refused';
}
