import { Router } from 'express';

/** Answers whether everything the service depends on can be reached; rejects when something cannot. */
export type ReadinessCheck = () => Promise<void>;

/**
 * `GET /healthz` (the process lives) and `GET /readyz` (what it depends on answers), outside `/v1`
 * and without credentials.
 */
export function createHealthRouter(checkReadiness: ReadinessCheck): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    try {
      await checkReadiness();
      response.json({ status: 'ready' });
    } catch {
      response.status(503).json({ status: 'unavailable' });
    }
  });
  return router;
}
