import type { Logger } from 'pino';
import { shareFor } from './share-for.js';

const dependencies = ['database', 'storage', 'replica', 'cluster'] as const;

export type Dependency = (typeof dependencies)[number];

/** By dependency. A process may have no replica, and a database may be on one server. */
type PerDependency<Value> = Readonly<Partial<Record<Dependency, Value>>>;

/** Rejects with an error that may be shown to anybody if the dependency does not respond. */
export type ReadinessCheck = () => Promise<unknown>;

/** The outcome of a check. Its reason names no host, user or value of a setting but buckets. */
type CheckOutcome =
  | { readonly status: 'ok' }
  | { readonly status: 'failed'; readonly reason: string };

/** The state of a process, as `GET /readyz` shows it. */
export interface Readiness {
  /**
   * `unavailable` without the database; `degraded` if only calls that need the storage fail (D-55),
   * or those of the firms of a node (D-72), or lists are read from the primary because the
   * replica is away (D-71); `stopping` if another process should get the next call (D-61).
   */
  readonly status: 'ready' | 'degraded' | 'unavailable' | 'stopping';
  readonly checks: PerDependency<CheckOutcome>;
}

/** How long an outcome is kept, in ms: at most one check runs per second, however many ask. */
const KEEP_MS = 1_000;

/**
 * Checks the dependencies. The log has one line when a check starts to fail, one whenever the
 * reason changes, one when the database works again, and one when all do.
 */
export function createReadiness(options: {
  readonly checks: PerDependency<ReadinessCheck>;
  readonly logger: Logger;
  readonly keepMs?: number;
}): () => Promise<Readiness> {
  const { checks, logger, keepMs = KEEP_MS } = options;
  /** The last outcome as text, to notice changes. */
  let loggedReason = '';
  let loggedStatus: Readiness['status'] = 'ready';
  let loggedAway: readonly Dependency[] = [];

  async function check(): Promise<Readiness> {
    const names = dependencies.filter((name) => checks[name] !== undefined);
    const settled = await Promise.allSettled(names.map((name) => checks[name]?.()));
    const failed = names.filter((_, index) => settled[index]?.status === 'rejected');
    const away = failed.filter((name) => name !== 'database');
    const isDegraded = away.length > 0;
    const status = failed.length > away.length ? 'unavailable' : isDegraded ? 'degraded' : 'ready';
    logChange(status, away, settled);
    return {
      status,
      checks: Object.fromEntries(settled.map((each, index) => [names[index], toOutcome(each)])),
    };
  }

  function logChange(
    status: Readiness['status'],
    away: readonly Dependency[],
    settled: readonly PromiseSettledResult<unknown>[],
  ): void {
    const failed = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    const reason = failed.map(messageOf).join('; ');
    if (reason === loggedReason) return;
    loggedReason = reason;
    if (status === 'ready') {
      const again = loggedAway.map((name) => `the ${name} works again`).join(', ');
      logger.info(loggedStatus === 'degraded' ? again : 'ready again');
    } else {
      if (loggedStatus === 'unavailable' && status === 'degraded') {
        logger.info('the database works again');
      }
      const fails = away.map((name) => `the ${name} fails`).join(', ');
      const message = status === 'degraded' ? `degraded: ${fails}` : 'not ready';
      // Each cause once: the error of several buckets has their texts in its own.
      const errors = failed.flatMap((each) =>
        each instanceof AggregateError ? each.errors : each,
      );
      const err = errors.length === 1 ? errors[0] : new AggregateError(errors, reason);
      logger.warn({ reason, err }, message);
    }
    loggedStatus = status;
    loggedAway = away;
  }

  return shareFor(keepMs, check);
}

function toOutcome(settled: PromiseSettledResult<unknown>): CheckOutcome {
  return settled.status === 'fulfilled'
    ? { status: 'ok' }
    : { status: 'failed', reason: messageOf(settled.reason) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
