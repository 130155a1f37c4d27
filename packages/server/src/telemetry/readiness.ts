import type { Logger } from 'pino';
import { shareFor } from './share-for.js';

export type Dependency = 'database' | 'storage' | 'replica';

/** By dependency. A process may have no replica. */
type PerDependency<Value> = Readonly<
  Record<Exclude<Dependency, 'replica'>, Value> & { replica?: Value }
>;

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
   * or lists are read from the primary because the replica is away (D-71); `stopping` if another
   * process should get the next call (D-61).
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
    const settled = await Promise.allSettled([
      checks.database(),
      checks.storage(),
      checks.replica?.(),
    ]);
    const [database, storage, replica] = settled;
    const away: Dependency[] = [
      ...(storage.status === 'rejected' ? (['storage'] as const) : []),
      ...(replica.status === 'rejected' ? (['replica'] as const) : []),
    ];
    const isDegraded = away.length > 0;
    const status =
      database.status === 'rejected' ? 'unavailable' : isDegraded ? 'degraded' : 'ready';
    logChange(status, away, settled);
    return {
      status,
      checks: {
        database: toOutcome(database),
        storage: toOutcome(storage),
        ...(checks.replica && { replica: toOutcome(replica) }),
      },
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
