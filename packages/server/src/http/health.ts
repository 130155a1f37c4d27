import { Router } from 'express';
import type { Logger } from 'pino';

/** Resolves if a dependency responds. Otherwise rejects with an error that names the dependency. */
export type ReadinessCheck = () => Promise<unknown>;

/**
 * Serves `GET /healthz` (the process is alive) and `GET /readyz` (its dependencies respond), outside
 * `/v1` and without credentials. The reason is logged when `/readyz` starts to fail and whenever the
 * reason changes; recovery is logged too.
 */
export function createHealthRouter(checks: readonly ReadinessCheck[], logger: Logger): Router {
  const router = Router({ caseSensitive: true, strict: true });
  /** Why the last check failed. */
  let reason: string | undefined;
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const outcomes = await Promise.allSettled(checks.map((check) => check()));
    const failures = outcomes.flatMap((each) => (each.status === 'rejected' ? each.reason : []));
    if (failures.length === 0) {
      if (reason !== undefined) logger.info('ready again');
      reason = undefined;
      response.json({ status: 'ready' });
      return;
    }
    // All failures, in a fixed order: otherwise the reason would change with the speed of each check.
    const message = failures.map(String).join('; ');
    if (reason !== message)
      logger.warn({ err: new AggregateError(failures, message) }, 'not ready');
    reason = message;
    response.status(503).json({ status: 'unavailable' });
  });
  return router;
}
