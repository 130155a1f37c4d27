import type { RequestListener } from 'node:http';
import { runProcess } from '@adx/server/commands';
import { openElapsedTime } from '../kept-state.js';
import { ownCalls, type ServiceSettings, serviceSettings } from '../settings-file.js';
import { ageIdToken } from './age-id-token.js';
import { createArmedErrors, sendArmedError } from './armed-errors.js';
import { createScenarioRuns } from './run-scenarios.js';
import { createScenarioApp } from './scenario-app.js';

export async function serveWithScenarios(
  dataDir: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const settings = serviceSettings.parse(environment);
  await runProcess(['serve'], environment, {
    inFront: (app) => putScenariosBefore(app, dataDir, settings),
  });
}

/**
 * Takes the requests for scenarios, and those that get an error that was set. In the others, ID
 * tokens become as old as scenarios have made them.
 */
function putScenariosBefore(
  app: RequestListener,
  dataDir: string,
  settings: ServiceSettings,
): RequestListener {
  const errors = createArmedErrors(Number(settings['RATE_LIMIT_PER_MINUTE'] ?? 1200));
  const elapsed = openElapsedTime(dataDir);
  const scenarios = createScenarioApp(createScenarioRuns(dataDir, settings, elapsed, errors));
  const handle = async (...[request, response]: Parameters<RequestListener>) => {
    const { method = '', url: target = '', headers } = request;
    if (target.startsWith(`${ownCalls}/`)) request.url = target.slice(ownCalls.length);
    else if (/^\/sandbox(\/|\?|$)/.test(target)) return void scenarios(request, response);
    else {
      const error = errors.take(method, target, headers['x-api-key']?.toString());
      if (error !== undefined) {
        return sendArmedError(error, request, response, Number(settings.PORT));
      }
      await ageIdToken(request, elapsed, settings);
    }
    // A response that has closed already would never end for the service.
    if (!response.closed) app(request, response);
  };
  return (request, response) => {
    handle(request, response).catch((error: Error) => response.destroy(error));
  };
}
