import { Router } from 'express';
import type { Logger } from 'pino';

/** Resolves if everything the service depends on answers; rejects with an error that says what does not. */
export type ReadinessCheck = () => Promise<void>;

/**
 * `GET /healthz` (the process is alive) and `GET /readyz` (its dependencies answer), outside `/v1` and
 * without credentials. The log has the reason when `/readyz` starts to fail, whenever the reason
 * changes, and when it passes again.
 */
export function createHealthRouter(checkReadiness: ReadinessCheck, logger: Logger): Router {
  const router = Router({ caseSensitive: true, strict: true });
  /** Why the last check failed. */
  let reason: string | undefined;
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    try {
      await checkReadiness();
      if (reason !== undefined) logger.info('ready again');
      reason = undefined;
      response.json({ status: 'ready' });
    } catch (error) {
      const message = String(error);
      if (reason !== message) logger.warn({ err: error }, 'not ready');
      reason = message;
      response.status(503).json({ status: 'unavailable' });
    }
  });
  return router;
}
