import { Router } from 'express';
import type { Logger } from 'pino';

/** Resolves if a dependency responds. Otherwise rejects with an error that names the dependency. */
export type ReadinessCheck = () => Promise<unknown>;

/**
 * Serves `GET /healthz` (the process is alive) and `GET /readyz` (its dependencies respond), outside
 * `/v1` and without credentials. Requests share a running check, so that a flood of them costs little. The
 * reason is logged when `/readyz` starts to fail and whenever the reason changes; recovery
 * is logged too.
 */
export function createHealthRouter(checks: readonly ReadinessCheck[], logger: Logger): Router {
  const router = Router({ caseSensitive: true, strict: true });
  /** Why the last check failed. */
  let reason: string | undefined;
  let running: Promise<boolean> | undefined;

  async function check(): Promise<boolean> {
    const outcomes = await Promise.allSettled(checks.map((each) => each()));
    const failures = outcomes.flatMap((each) => (each.status === 'rejected' ? each.reason : []));
    if (failures.length === 0) {
      if (reason !== undefined) logger.info('ready again');
      reason = undefined;
      return true;
    }
    // All failures, in a fixed order: otherwise the reason would change with the speed of each check.
    const message = failures.map(String).join('; ');
    if (reason !== message)
      logger.warn({ err: new AggregateError(failures, message) }, 'not ready');
    reason = message;
    return false;
  }

  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    running ??= check().finally(() => {
      running = undefined;
    });
    if (await running) response.json({ status: 'ready' });
    else response.status(503).json({ status: 'unavailable' });
  });
  return router;
}
