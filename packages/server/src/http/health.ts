import { Router } from 'express';
import type { Readiness } from '../telemetry/readiness.js';

/**
 * Serves `GET /healthz` (the process is alive) and `GET /readyz` (its dependencies respond),
 * outside `/v1` and without credentials. An outage of the storage alone is 200 with `degraded`,
 * because most calls do not need it (D-55). A process that was told to stop answers 503.
 */
export function createHealthRouter(readiness: () => Promise<Readiness>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const current = await readiness();
    const takesCalls = current.status === 'ready' || current.status === 'degraded';
    response.status(takesCalls ? 200 : 503).json(current);
  });
  return router;
}
