import { startProxy } from '../proxy/start-proxy.js';
import { createArmedErrors } from './armed-errors.js';
import { createRequestRoute } from './route-request.js';
import { createScenarioRuns } from './run-scenarios.js';
import type { ScenarioContext } from './scenario-context.js';
import { startScenarioServer } from './scenario-server.js';

interface EntranceOptions extends Omit<ScenarioContext, 'errors'> {
  /** The public port, on which callers reach the service and the scenarios. */
  readonly port: number;
}

/**
 * Starts the proxy in front of the service, and the scenarios beside it (D-53).
 *
 * @returns a function that stops both
 */
export async function startEntrance(options: EntranceOptions): Promise<() => Promise<void>> {
  const { port, settings } = options;
  const service = Number(settings.PORT);
  const errors = createArmedErrors(Number(settings['RATE_LIMIT_PER_MINUTE'] ?? 1200));
  const runs = createScenarioRuns({ ...options, errors });
  const server = await startScenarioServer(runs, service);
  try {
    const proxy = await startProxy({
      port,
      upstreams: { service, scenarios: server.port },
      route: createRequestRoute({ ...options, errors, server }),
    });
    return async () => {
      await proxy.close();
      await server.close();
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
